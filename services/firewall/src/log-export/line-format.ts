import type { LogName } from '../logs/log-types.ts'

/** One entry as the log shows it: every field a text, those that are not known empty. */
export type ShownEntry = Readonly<Record<string, string>>

/** The words of formats and the fields that they stand for, by log. */
const fieldsByWord: Readonly<Record<LogName, Readonly<Record<string, string>>>> = {
  access: {
    ai: 'service-ip',
    ap: 'service-port',
    ci: 'client-ip',
    cp: 'client-port',
    id: 'login',
    cu: 'certificate-user',
    m: 'method',
    p: 'protocol',
    h: 'host',
    v: 'version',
    bs: 'bytes-sent',
    br: 'bytes-received',
    ch: 'cached',
    tt: 'time-taken',
    si: 'server-ip',
    sp: 'server-port',
    st: 'server-time',
    sid: 'session-id',
    rtf: 'response-type',
    pmf: 'profile-matched',
    pf: 'protected',
    wmf: 'web-firewall-matched',
    u: 'url',
    q: 'query-string',
    r: 'referrer',
    c: 'cookie',
    ua: 'user-agent',
    px: 'proxy-ip',
    pp: 'proxy-port',
    au: 'authenticated-user',
    cs1: 'custom-header1',
    cs2: 'custom-header2',
    cs3: 'custom-header3',
    uid: 'id',
  },
  'web-firewall': {
    sl: 'severity',
    ad: 'attack',
    ci: 'client-ip',
    cp: 'client-port',
    ai: 'service-ip',
    ap: 'service-port',
    ri: 'rule',
    rt: 'rule-type',
    at: 'action',
    fa: 'follow-up-action',
    adl: 'attack-detail',
    m: 'method',
    u: 'url',
    p: 'protocol',
    sid: 'session-id',
    ua: 'user-agent',
    px: 'proxy-ip',
    pp: 'proxy-port',
    au: 'authenticated-user',
    r: 'referer',
    uid: 'id',
  },
  audit: {
    an: 'admin',
    ct: 'client-type',
    li: 'login-ip',
    lp: 'login-port',
    trt: 'transaction-type',
    tri: 'transaction-id',
    cht: 'change-type',
    ot: 'object-type',
    on: 'object-name',
    var: 'variable',
    ov: 'old-value',
    nv: 'new-value',
    add: 'additional-data',
  },
  'network-firewall': {
    p: 'protocol',
    srci: 'source-ip',
    srcp: 'source-port',
    di: 'destination-ip',
    dp: 'destination-port',
    act: 'acl-policy',
    acl: 'acl-name',
  },
  system: { md: 'module', ll: 'severity', ei: 'event-id', ms: 'message' },
}

/** How a line names its log. */
const logWords: Readonly<Record<LogName, string>> = {
  access: 'TR',
  'web-firewall': 'WF',
  audit: 'AUDIT',
  'network-firewall': 'NF',
  system: 'SYS',
}

/** What a line of any log may say beside its entry. */
interface LineContext {
  readonly log: LogName
  /** The name of this system. */
  readonly unit: string
  /** In milliseconds since 1970. */
  readonly time: number
}

/**
 * A line as a format describes it: `%` and a word stand for a part of the entry, everything else for itself. Parts that are empty
 * or not known are "-"; those with blanks or quotes stand in quotes, so that a line can be taken apart again.
 */
export function formatLine(format: string, entry: ShownEntry, { log, unit, time }: LineContext): string {
  const always: Readonly<Record<string, string>> = {
    t: new Date(time).toISOString().replace('T', ' ').replace('Z', ' +0000'),
    un: unit,
    lt: logWords[log],
  }
  return format.replace(/%(\w+)/g, (_, word: string) => {
    if (word === 't') return always.t ?? ''
    const field = fieldsByWord[log][word]
    return quoted(always[word] ?? (field === undefined ? '' : (entry[field] ?? '')))
  })
}

function quoted(text: string): string {
  if (text === '') return '-'
  const plain = text.replace(/\p{Cc}/gu, ' ')
  return /[\s"\\]/.test(plain) ? `"${plain.replace(/["\\]/g, '\\$&')}"` : plain
}
