import type { AuditWishes, Prices } from '../../protocol/audits.ts'
import type { CertificateFile } from '../../protocol/certificate.ts'
import type { AnswerPage, Exported, ExportRequest, PageRequest, PredictionPage, PredictionRequest } from '../../protocol/data.ts'
import type { Forecast, Goal, LabellingPlan, State } from '../../protocol/project.ts'
import type { Report } from '../../protocol/report.ts'
import type { Claim, GivenAnswer, Grant, OpenRound, Saved } from '../../protocol/rounds.ts'
import type { Begin, Files, Inspection, SampleFile, Wishes } from '../../protocol/start.ts'
import { authorization, fetchKnown } from './secret.ts'

const root = '/api/v1'

/** One function for each route. All of them throw `Failure`, and nothing else. */
export const api = {
  state: () => get<State>('/state'),
  round: (page: string) => get<OpenRound>(`/round${query({ page })}`),
  answer: (round: number, id: string, answer: GivenAnswer) => send<Saved>('PUT', answerPath(round, id), answer),
  takeBack: (round: number, id: string, by: { page: string; annotator?: string }) =>
    send<Saved>('DELETE', `${answerPath(round, id)}${query(by)}`),
  claim: (round: number, claim: Claim) => send<Grant>('POST', `/rounds/${round}/claims`, claim),
  plan: (plan: LabellingPlan) => send<void>('POST', '/plan', plan),
  retry: () => send<void>('POST', '/retry'),
  forecast: (goal: Pick<Goal, 'tolerance' | 'below' | 'level'>) => get<Forecast>(`/forecast${query(goal)}`),
  beginAudit: (goal: Goal) => send<void>('POST', '/audit', goal),
  finishAudit: () => send<{ seal: string }>('POST', '/audit/finish'),
  leaveAudit: () => send<void>('POST', '/audit/leave'),
  learnOn: () => send<void>('POST', '/learning'),
  certificate: (seal: string) => get<CertificateFile>(`/certificates/${encodeURIComponent(seal)}`),
  report: (model?: string) => get<Report>(`/report${query({ model })}`),
  answers: (request: PageRequest) => get<AnswerPage>(`/answers${query(request)}`),
  predictions: (request: PredictionRequest) => get<PredictionPage>(`/predictions${query(request)}`),
  export: (request: ExportRequest) => send<Exported>('POST', '/exports', request),
  files: () => get<Files>('/files'),
  /** Both end with the signal, where there is one. */
  upload: (file: File, onShare: (share: number) => void, signal?: AbortSignal) =>
    upload(`${root}/uploads/${encodeURIComponent(file.name)}`, file, onShare, signal),
  inspect: (file: { path: string; wishes: Wishes }, signal?: AbortSignal) =>
    send<Inspection>('POST', '/inspections', file, signal),
  sample: (name: string) => send<SampleFile>('POST', `/samples/${name}`),
  price: (request: { path: string; audit: AuditWishes }) => send<Prices>('POST', '/prices', request),
  begin: (begin: Begin) => send<void>('POST', '/project', begin),
}

export const certificateUrl = (seal: string) => `${root}/certificates/${encodeURIComponent(seal)}?download`
export const exportUrl = (file: string) => `${root}/exports/${encodeURIComponent(file)}`

/** The bytes at an address of the server: a picture, a file to keep. */
export async function bytesAt(url: string): Promise<Blob> {
  try {
    const response = await fetchKnown(url)
    if (response.ok) return await response.blob()
    throw Failure.from(response.status, await response.text())
  } catch (cause) {
    throw cause instanceof Failure ? cause : Failure.unreachable(cause)
  }
}

/** Has the browser keep what is at an address under a name. */
export async function download(url: string, name: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await bytesAt(url))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000) // it is read from meanwhile
}

function answerPath(round: number, id: string): string {
  return `/rounds/${round}/answers/${encodeURIComponent(id)}`
}

function query(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function get<Reply>(path: string): Promise<Reply> {
  return request<Reply>(path, {})
}

function send<Reply>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
  const init = { method, ...(signal && { signal }) }
  if (body === undefined) return request<Reply>(path, init)
  return request<Reply>(path, { ...init, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function request<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetchKnown(root + path, init).catch((cause: unknown) => {
    throw Failure.unreachable(cause)
  })
  const text = await response.text().catch((cause: unknown) => {
    throw Failure.unreachable(cause)
  })
  if (!response.ok) throw Failure.from(response.status, text)
  return (text === '' ? undefined : JSON.parse(text)) as Reply
}

/** Sends a file as it is. By XMLHttpRequest, as `fetch` does not say how much has gone. */
function upload(url: string, file: File, onShare: (share: number) => void, signal?: AbortSignal): Promise<{ path: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    signal?.addEventListener('abort', () => request.abort())
    request.onabort = () => reject(Failure.unreachable())
    request.open('PUT', url)
    request.setRequestHeader('authorization', authorization())
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(Failure.unreachable())
    request.onload = () => {
      if (request.status < 400) resolve(JSON.parse(request.responseText))
      else reject(Failure.from(request.status, request.responseText))
    }
    request.send(file)
  })
}

/** What the server said no to, or that it could not be reached (`status` 0, code `unreachable`). */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly hint: string | undefined
  readonly status: number

  constructor(status: number, code: string, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
    this.hint = hint
  }

  static unreachable(cause?: unknown): Failure {
    return new Failure(0, 'unreachable', 'server: an answer is required, got none', 'Is the command still running?', { cause })
  }

  static from(status: number, text: string): Failure {
    try {
      const { code, message, hint } = JSON.parse(text) as { code: string; message: string; hint?: string }
      return new Failure(status, code, message, hint)
    } catch {
      return new Failure(status, 'unexpected', `server: an answer in JSON is required, got status ${status}`)
    }
  }

  /** Whether the same request may succeed later. A secret of an earlier run of alis counts: nothing a person answered is given up for it. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500 || passing.has(this.status)
  }
}

const passing = new Set([401, 403, 408, 425, 429])
