import { Argument, Command, type Option } from 'commander'

const scripts = { bash, zsh, fish }
type CompletionShell = keyof typeof scripts

/** Prints a script that teaches a shell the commands, options and choices of the program. Where nothing is known, shells offer files. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Examples, to install it for good:
  $ echo 'source <(alis completion bash)' >> ~/.bashrc
  $ echo 'source <(alis completion zsh)' >> ~/.zshrc          # after compinit
  $ alis completion fish > ~/.config/fish/completions/alis.fish`,
    )
    .action((shell: CompletionShell) => void process.stdout.write(scripts[shell](wordsOf(program))))
}

/** Everything there is to complete. `choices`: values of the first argument or of an option, where they are known. */
type CompletionWords = ReturnType<typeof wordsOf>
type OptionWords = CompletionWords['commands'][number]['options'][number]

function wordsOf(program: Command) {
  const help = program.createHelp()
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).flatMap(optionWords),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }))
  return { name: program.name(), commands }
}

function optionWords({ long, description, required, optional, argChoices = [] }: Option) {
  return long === undefined ? [] : [{ flag: long, description, takesValue: required || optional, choices: argChoices }]
}

function bash({ name, commands }: CompletionWords): string {
  const values = commands.flatMap((command) => {
    const valued = command.options.filter(({ takesValue }) => takesValue)
    const known = valued.filter(({ choices }) => choices.length > 0)
    const files = valued.filter(({ choices }) => choices.length === 0)
    return [
      ...known.map(({ flag, choices }) => `    '${command.name} ${flag}') words='${choices.join(' ')}' ;;`),
      ...(files.length > 0 ? [`    ${files.map(({ flag }) => `'${command.name} ${flag}'`).join('|')}) ;;`] : []),
    ]
  })
  const rest = commands.flatMap(({ name: command, options, choices }) => [
    `    '${command} '*)`,
    `      if [[ $word == -* ]]; then words='${options.map(({ flag }) => flag).join(' ')}'`,
    `      else words='${choices.join(' ')}'; fi ;;`,
  ])
  return `# ${name}, for bash
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [[ $word == '=' ]]; then word=                                            # --option=
  elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi        # --option=value
  if (( COMP_CWORD == 1 )); then words='${commands.map((command) => command.name).join(' ')} --help --version'
  else case "\${COMP_WORDS[1]} $before" in
${[...values, ...rest].join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _${name} ${name}
`
}

function zsh({ name, commands }: CompletionWords): string {
  const value = (choices: readonly string[]) => (choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files')
  const specification = ({ flag, description, takesValue, choices }: OptionWords) =>
    quoted(`${flag}[${description.replace(/[[\]\\]/g, '\\$&')}]${takesValue ? value(choices) : ''}`)
  const cases = commands.map((command) => {
    const first = command.choices.length > 0 ? `1${value(command.choices)}` : '*:file:_files'
    return `    ${command.name})\n      _arguments ${[...command.options.map(specification), quoted(first)].join(' \\\n        ')} ;;`
  })
  const listed = commands.map((command) => `    ${quoted(`${command.name}:${command.description.replace(/[:\\]/g, '\\$&')}`)}`)
  return `#compdef ${name}
_${name}() {
  local -a commands=(
${listed.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

function fish({ name, commands }: CompletionWords): string {
  const lines = commands.flatMap((command) => {
    const within = `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}'`
    return [
      `complete -c ${name} -n __fish_use_subcommand -f -a ${command.name} -d ${fishQuoted(command.description)}`,
      ...(command.choices.length > 0 ? [`${within} -f -a ${fishQuoted(command.choices.join(' '))}`] : []),
      ...command.options.map(({ flag, description, takesValue, choices }) => {
        const values = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : takesValue ? ' -r' : ''
        return `${within} -l ${flag.slice(2)}${values} -d ${fishQuoted(description)}`
      }),
    ]
  })
  return [`# ${name}, for fish`, ...lines, ''].join('\n')
}

/** For bash and zsh: a quote inside quotes ends them, stands for itself, and begins them again. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const fishQuoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
