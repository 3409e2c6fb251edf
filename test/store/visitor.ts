// A process with fewer rights: says what it can read of a project, and what it is told when it tries to write.
//   node visitor.ts NAME.alis
import { AlisError } from '../../src/core/errors.ts'
import { createProject, openProject } from '../../src/stores/sqlite.ts'

const [path] = process.argv.slice(2)
const attempt = (work: () => Promise<unknown>) =>
  work().then(
    () => 'done',
    (error) => (error instanceof AlisError ? { code: error.code, message: error.message, hint: error.hint } : `${error.stack}`),
  )

const project = await openProject(path!, { mode: 'read' })
const answers = (await project.answers()).length
await project.close()
const opened = await attempt(() => openProject(path!))
const created = await attempt(() => createProject(`${path}/../other.alis`))
console.log(JSON.stringify({ answers, opened, created }))
