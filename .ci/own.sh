# Sourced by .ci/run: a command with everything that it starts, and its end.

# The process group that is running, for the trap of who sources this.
group=""

# own COMMAND…: runs it in a process group of its own, gives back its exit code, and ends what it left behind (a worker that is stuck, a
# server that a test forgot) by the number of that group: other people's processes of the same name are none of ours.
own() {
  local status=0
  # In the background setsid need not fork, so $! is the command's own number, and its group's.
  setsid "$@" &
  group=$!
  wait "$group" || status=$?
  end_own
  return "$status"
}

end_own() {
  if [[ -n "$group" ]]; then kill -KILL -- "-$group" 2>/dev/null || true; fi
  group=""
}
