import { expect, it } from 'vitest'
import { escapeHtml, factList } from './html.ts'

it('lets no text in as markup', () => {
  expect(escapeHtml('<b title="x">Tom & Jerry</b>')).toBe('&lt;b title=&quot;x&quot;&gt;Tom &amp; Jerry&lt;/b&gt;')
  expect(factList([['<i>', 'a & b']])).toBe('<dt>&lt;i&gt;</dt><dd>a &amp; b</dd>')
})
