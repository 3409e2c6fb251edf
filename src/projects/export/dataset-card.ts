import { machineOf } from '../../core/record.ts'
import type { Certificate } from '../../questions/certificate.ts'
import { count, counted, listed } from '../../text/wording.ts'
import type { Facts } from './facts.ts'

/** The card of a dataset as the Hugging Face Hub shows it: what the rows are, how they were drawn, and what is certified. */
export function datasetCard(name: string, { labels, certificates }: Pick<Facts, 'labels' | 'certificates'>): string {
  const machines = [...new Set(labels.flatMap(({ annotator }) => machineOf(annotator) ?? []))]
  const who = machines.length > 0 ? ` Answers of a machine (${listed(machines, 'and')}) say so under \`annotator\`.` : ''
  const claims = certificates.map(({ text, seal }) => {
    const { claim } = JSON.parse(text) as Pick<Certificate, 'claim'>
    return `- ${claim}\n  Seal \`${seal}\`; \`alis verify\` makes all of it again.`
  })
  return `---
pretty_name: ${JSON.stringify(name)}
task_categories:
- text-classification
tags:
- alis
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*
---

# ${name}

${counted(labels.length, 'answer')}, drawn at random with the probabilities on record.${who} ${count(labels.filter(({ label }) => label === null).length)} of them are "cannot
tell", an empty \`label\`.

\`probability\` is the chance that a draw had, \`weight\` what its label counts if the labels are to stand for the whole pool: without it, averages are about the
points that were drawn, which are not like the others. \`round\`, \`order\`, \`annotator\` and \`time\` say when and by whom it was answered. All other columns are those of the pool.

## What is certified

${claims.length > 0 ? claims.join('\n') : 'Nothing yet.'}

Certificates take the answers for the truth, and are about the pool they were drawn from, not about other data.
`
}
