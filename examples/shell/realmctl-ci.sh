#!/bin/sh
# realmctl in any CI, or from cron: plan, apply or drift of one organization. The exit code is realmctl's own (realmctl --help).
#   sh realmctl-ci.sh plan     saves realm.plan; writes a comment if COMMENT_TO (gitlab, forgejo, gitea) and REALMCTL_TOKEN are set; with
#                              PLAN_BASE=origin/main it names what the file no longer lists since that commit, and what differed before, and
#                              the guard rails of that commit apply, too: no request raises its own limits
#   sh realmctl-ci.sh apply    applies exactly the realm.plan that `plan` saved; the journal for --undo stays in .realmctl
#   sh realmctl-ci.sh drift    exit code 2 if something differs
# The key comes from the environment: ZULIP_EMAIL and ZULIP_API_KEY, or ZULIP_CONFIG with the path of a zuliprc.
set -eu
REALM_FILE="${REALM_FILE:-realm.yaml}"
export ZULIP_SITE="${ZULIP_SITE:-https://chat.example.org}"

case "${1:-}" in
  plan)
    code=0
    rm -rf realm.plan .base
    if [ -n "${PLAN_BASE:-}" ]; then
      mkdir -p ".base/$(dirname "$REALM_FILE")"
      git archive "$PLAN_BASE" | tar -x -C .base
      if [ ! -f ".base/$REALM_FILE" ]; then echo "policy: {}" > ".base/$REALM_FILE"; fi
      set -- --base "$PLAN_BASE" --policy ".base/$REALM_FILE"
    else
      set --
    fi
    realmctl plan "$REALM_FILE" --all "$@" --out realm.plan || code=$?
    # People want to see a plan above all if a guard rail refuses it. Without one, the comment says so: the plan of an older commit does not stay.
    if [ -f realm.plan ]; then set -- realm.plan; else set -- "$REALM_FILE" --failed; fi
    if [ -n "${COMMENT_TO:-}" ] && [ -n "${REALMCTL_TOKEN:-}" ]; then realmctl comment "$@" --to "$COMMENT_TO"; fi
    exit "$code"
    ;;
  apply)
    # A plan that somebody committed is not the one that `plan` saved.
    if git ls-files --error-unmatch realm.plan >/dev/null 2>&1; then
      echo "realm.plan is committed: remove it from the repository" >&2
      exit 64
    fi
    realmctl apply --plan realm.plan --yes
    ;;
  drift) realmctl drift "$REALM_FILE" ;;
  *)
    echo "usage: sh $0 plan|apply|drift" >&2
    exit 64
    ;;
esac
