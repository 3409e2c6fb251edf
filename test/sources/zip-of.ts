import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of files, each deflated where that is shorter. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const [local, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const [bytes, title] = [Buffer.from(content), Buffer.from(name)]
    const deflated = deflateRawSync(bytes)
    const [method, packed] = deflated.length < bytes.length ? [8, deflated] : [0, bytes]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(method as number, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE((packed as Buffer).length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(title.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, title, packed as Buffer])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, title]))
    local.push(entry)
    at += entry.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, listed, Buffer.from('PK\x05\x06', 'latin1'), end])
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A workbook as Excel writes it: its sheets as XML of their rows, texts that they share, and formats of numbers by style. */
export function workbookOf(
  sheets: Readonly<Record<string, string>>,
  {
    texts = [],
    formats = ['General'],
    workbook = '',
    hidden = [],
  }: { texts?: string[]; formats?: string[]; workbook?: string; hidden?: readonly string[] } = {},
): Buffer {
  const names = Object.keys(sheets)
  const links = names.map((_, k) => `<Relationship Id="rId${k + 1}" Type="worksheet" Target="worksheets/sheet${k + 1}.xml"/>`)
  const listed = names.map(
    (name, k) =>
      `<sheet name="${name.replace(/&/g, '&amp;')}" sheetId="${k + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${k + 1}"/>`,
  )
  const styles = formats.map((code, k) => `<numFmt numFmtId="${164 + k}" formatCode="${code.replace(/"/g, '&quot;')}"/>`)
  const used = formats.map((_, k) => `<xf numFmtId="${164 + k}" applyNumberFormat="1"/>`)
  return zipOf({
    '[Content_Types].xml': head,
    'xl/workbook.xml': `${head}<workbook xmlns:r="r">${workbook}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships>${links.join('')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet><numFmts>${styles.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${used.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, k) => [
        `xl/worksheets/sheet${k + 1}.xml`,
        `${head}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  })
}
