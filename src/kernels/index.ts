export { pick } from './pick'
export { scoreBytes, scoreDense, scoreSparse } from './score'
export { clear, finish, merge, tally } from './tally'
