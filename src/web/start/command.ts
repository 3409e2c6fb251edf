import { keyed } from '../../text/class-keys.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { NewProject } from './draft.ts'

/** Where guidelines are expected by the command: it reads them from a file. */
const guidelinesFile = 'guidelines.txt'

/** The command that begins the same project: what is done here can be done, and repeated, without the page. */
export function commandLine({ path, project, wishes, classes, question, guidelines, plan, start, ...more }: NewProject): string {
  const { id, label, ignore = [], ...lists } = wishes
  const out = label === undefined ? ignore : [...ignore, label]
  const options: readonly (readonly [string, string | number | undefined])[] = [
    ['project', project],
    ['id', id],
    ...Object.entries({ ...lists, ignore: out }).map(([option, names]) => [option, names?.join(',') || undefined] as const),
    ['classes', classes.map(({ name }) => name).join(',')],
    ['question', question],
    ['guidelines', guidelines.trim() === '' ? undefined : guidelinesFile],
    ['strategy', plan.strategy],
    ['start', start],
    ['batch', plan.batch],
    ['budget', plan.budget],
    ['loss', more.loss],
    ['l2', more.l2],
    ['weighting', more.weighting],
    ['know', more.know],
    ['seed', more.seed],
  ]
  const given = options.flatMap(([option, value]) => (value === undefined ? [] : [`--${option} ${shellWord(String(value))}`]))
  return [`alis label ${shellWord(path)}`, ...given].join(' ')
}

/** Where the command alone is not enough. */
export function remarksOn({ classes, guidelines }: Pick<NewProject, 'classes' | 'guidelines'>): string[] {
  const names = classes.map(({ name }) => name)
  const usual = keyed(names).map(({ key }) => key)
  return [
    guidelines.trim() !== '' && `Save the guidelines as ${guidelinesFile} first.`,
    classes.some(({ key }, i) => key !== usual[i]) && `The command gives keys by itself: ${usual.join(' ')}.`,
    names.some((name) => name.includes(',')) && 'A class with a comma in its name can be made on this page only.',
  ].filter((remark) => remark !== false)
}
