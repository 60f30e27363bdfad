export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A line of the answer that asks the shell to complete file names. No value has this form. */
export const FILES = ":files";

/** The script that each shell runs when it starts. It asks realmctl at every key press, so that it also knows the names in the file. */
export const SCRIPTS: { readonly [shell in Shell]: string } = {
  bash: `# In ~/.bashrc: source <(realmctl completion bash)
_realmctl_run() {
  if command -v realmctl >/dev/null; then realmctl "$@"; else npx --no -- realmctl "$@"; fi
}
_realmctl_completion() {
  local word typed="\${COMP_LINE:0:COMP_POINT}"
  COMPREPLY=()
  # As in: npx realmctl plan
  if [[ "$typed" == "npx "* ]]; then
    if [[ "$typed" != "npx realmctl "* ]]; then compopt -o default; return; fi
    typed="\${typed#npx }"
  fi
  while IFS=$'\\t' read -r word _; do
    if [[ "$word" == "${FILES}" ]]; then
      compopt -o default
    elif [[ -n "$word" ]]; then
      COMPREPLY+=("$word")
    fi
  done < <(_realmctl_run completion bash --line "$typed" 2>/dev/null)
  # An option that takes its value behind = has no blank behind it.
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace; fi
}
complete -F _realmctl_completion realmctl
complete -p npx >/dev/null 2>&1 || complete -F _realmctl_completion npx
`,
  zsh: `#compdef realmctl
# In ~/.zshrc, behind compinit: source <(realmctl completion zsh)
_realmctl_run() {
  if (( \${+commands[realmctl]} )); then realmctl "$@"; else npx --no -- realmctl "$@"; fi
}
_realmctl_completion() {
  if [[ "\${words[1]}" == npx ]]; then
    if [[ "\${words[2]}" != realmctl ]] || (( CURRENT < 3 )); then _default; return; fi
    shift words
    (( CURRENT-- ))
  fi
  local line
  local -a values abouts before
  local -i files=0
  before=("\${(@Q)words[2,CURRENT-1]}")
  for line in "\${(@f)$(_realmctl_run completion zsh --words -- "\${before[@]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    if [[ "$line" == "${FILES}" ]]; then
      files=1
    elif [[ -n "$line" ]]; then
      values+=("\${line%%$'\\t'*}")
      abouts+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
    fi
  done
  (( \${#values} )) && compadd -l -d abouts -a values
  (( files )) && _files
}
compdef _realmctl_completion realmctl
(( \${+_comps[npx]} )) || compdef _realmctl_completion npx
`,
  fish: `# In ~/.config/fish/completions/realmctl.fish, or: realmctl completion fish | source
function __realmctl_completion
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct | string unescape)
    for line in (realmctl completion fish --words -- $before "$current" 2>/dev/null)
        if test "$line" = "${FILES}"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c realmctl -f -a '(__realmctl_completion)'
`,
};
