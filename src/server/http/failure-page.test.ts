import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { failurePage, failurePolicy } from './failure-page.ts'

it('says first what to do, and shows nothing that was sent as markup', () => {
  const page = failurePage({ code: 'not-known', message: 'request: got <script>', hint: 'Open the address that alis printed.' })
  expect(page).toContain('<h1>This page needs the whole address.</h1>\n<p>Open the address that alis printed.</p>')
  expect(page).toContain('got &lt;script&gt;')
  expect(page).not.toContain('<script')
  expect(failurePage({ code: 'odd', message: 'm' })).toContain('<h1>This did not work.</h1>\n<p class="quiet">m</p>')
})

it('has one style, and a policy that lets that and nothing else act', () => {
  const [, style] = /<style>([\s\S]*)<\/style>/.exec(failurePage({ code: 'not-known', message: 'm' }))!
  expect(failurePolicy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`)
  expect(failurePolicy).toContain("default-src 'none'")
})
