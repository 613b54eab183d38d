/** One exchange of bytes with whatever stands before an application. */
export interface HttpCase {
  readonly name: string
  /** Byte strings, each sent in a packet of its own. */
  readonly send: string | readonly string[]
  /** What the application has to be asked, in order; undefined when it must be asked nothing at all. */
  readonly reaches?: readonly Reached[]
  /** The status of the first answer; any of the 400s and 500s, or an end without an answer, when nothing is reached. */
  readonly status?: number
}

/** A request as the application gets it. */
export interface Reached {
  readonly method: string
  readonly url: string
  readonly body?: string
  /** Headers that have to be there with these values, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

const host = 'Host: a.example\r\n'

/** A request without a body, with lines besides the host. */
export function get(lines = '', target = '/'): string {
  return `GET ${target} HTTP/1.1\r\n${host}${lines}\r\n`
}

/** A request with a body as it stands, framed by the lines that are given. */
export function post(lines: string, body: string, target = '/'): string {
  return `POST ${target} HTTP/1.1\r\n${host}${lines}\r\n${body}`
}

export const chunked = 'Transfer-Encoding: chunked\r\n'
