import { exportProject } from '../../projects/export/export-project.ts'
import type { Exported } from '../../protocol/data.ts'
import type { TableFormat } from '../../sources/write-table.ts'

/** What `alis export` does, to where it does it, in place of what an earlier export left there. */
export async function exportFrom(project: string, format: TableFormat, signal: AbortSignal): Promise<Exported> {
  const { out, files } = await exportProject(project, { format, force: true, signal })
  return { folder: out, files: files.map(({ file, rows }) => ({ file, ...(rows !== undefined && { rows }) })) }
}
