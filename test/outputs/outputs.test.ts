import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { alisHere } from '../in-process.ts'
import { kept } from './main.ts'
import { recordOutputs } from './record.ts'

it('equal seeds give the bytes that are kept; what changes them on purpose runs `npm run outputs`', async () => {
  const outputs = await recordOutputs(alisHere)
  expect(Object.keys(outputs).sort()).toEqual(
    readdirSync(kept)
      .map((file) => file.replace('.txt', ''))
      .sort(),
  )
  for (const [name, said] of Object.entries(outputs)) expect.soft(said, name).toBe(readFileSync(`${kept}/${name}.txt`, 'utf8'))
})
