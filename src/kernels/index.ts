export { pick } from './pick'
export { readAll } from './read'
export { scoreBytes, scoreDense, scoreSparse } from './score'
export { clear, finish, merge, tally } from './tally'
