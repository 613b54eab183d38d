import type { SnapshotForms, SnapshotService } from '@palisade/proxy-protocol'
import { hostOf, pathOf, takeParameter, withoutQuery } from '../../exchange/address.ts'
import type { BodyFilter, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FormEvidence, FormSeal } from '../../exchange/form-evidence.ts'
import { headerValue, withoutHeader } from '../../exchange/headers.ts'
import { changeHeaders, forgetBytes, hasReadableBody, mediaTypeOf } from '../../exchange/response-head.ts'
import { replaceHeaderLinks } from '../../html/answer-links.ts'
import { HtmlLinks } from '../../html/html-links.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { contentTypeOf, isForm } from '../request-protection/request-parts.ts'
import { NeedsOfAddresses } from './form-needs.ts'
import { FormSeals } from './form-seal.ts'
import { asksForPage, newSession, sessionCookie, takeSession } from './form-session.ts'
import { takeFields } from './own-fields.ts'
import { isFromOwnPage } from './own-page.ts'
import { PageSeals } from './page-seals.ts'

/**
 * Seals the forms and links of pages, and takes the seals out of requests before anything else sees them. What a request shows by its seals
 * is for others to judge.
 */
export const formSeals: FilterDescriptor = {
  name: 'form-seals',
  stage: 'arrival',
  isShared: true,
  make: formSealsFilter,
}

function formSealsFilter(service: SnapshotService, { policies }: FilterDependencies): Filter | undefined {
  const { forms, application = service.name } = service
  if (forms === undefined) return undefined
  const seals = new FormSeals(forms, application)
  const needs = new NeedsOfAddresses(
    service,
    policies.map(({ snapshot }) => snapshot),
  )
  const visits = new WeakMap<Exchange, Visit>()
  return {
    readsAnswers: true,
    onRequest: (exchange) => {
      const visit = new Visit(exchange, forms, seals)
      visits.set(exchange, visit)
      exchange.formEvidence = visit
      return undefined
    },
    wantsBody: ({ headers }) => isForm(contentTypeOf(headers)),
    takeOwnFields: (exchange, body) => {
      if (!isForm(contentTypeOf(exchange.headers))) return body
      const { parameter, honeypot } = forms
      const ownFields = takeFields(body, exchange.headers, [parameter, ...(honeypot ? [honeypot] : [])])
      const visit = visits.get(exchange)
      if (visit === undefined) return body
      for (const value of ownFields.values.get(parameter) ?? []) visit.open(value)
      visit.isHoneypotFilled = ownFields.values.get(honeypot ?? '')?.some((value) => value !== '') === true
      return ownFields.body
    },
    onResponse: (exchange, head) => {
      const visit = visits.get(exchange)
      return visit && sealed(exchange, head, visit, { forms, seals, needs })
    },
  }
}

/** What a request brings that was put into its page, and taken out of it again. */
class Visit implements FormEvidence {
  readonly path: string
  /** As the client said it. */
  readonly host: string
  /** As the browser knows the page: path and query, without what was put there. */
  readonly target: string
  readonly session: string | undefined
  readonly isFromOwnPage: boolean
  readonly seals: FormSeal[] = []
  hasExpired = false
  isHoneypotFilled = false
  readonly #seals: FormSeals
  readonly #now: number

  constructor(exchange: Exchange, { parameter }: SnapshotForms, seals: FormSeals) {
    this.#seals = seals
    this.#now = exchange.runtime.now()
    this.isFromOwnPage = isFromOwnPage(exchange)
    this.host = hostOf(exchange)
    this.session = takeSession(exchange)
    const { rest, values } = takeParameter(pathOf(exchange.target), parameter)
    this.target = rest
    this.path = withoutQuery(rest)
    exchange.ownParameter = parameter
    if (values.length > 0) exchange.target = rest
    for (const value of values) this.open(value)
    const referrer = headerValue(exchange.headers, 'referer')
    if (referrer?.includes(`${parameter}=`)) {
      const plain = takeParameter(referrer, parameter).rest
      exchange.headers = [...withoutHeader(exchange.headers, 'referer'), 'Referer', plain]
    }
    if (asksForPage(exchange)) {
      // What the browser has kept has seals of another time, or none.
      exchange.headers = withoutHeader(withoutHeader(exchange.headers, 'if-none-match'), 'if-modified-since')
    }
  }

  open(token: string): void {
    const opened = this.session === undefined ? 'not ours' : this.#seals.open(token, this.session, this.#now)
    if (opened === 'expired') this.hasExpired = true
    else if (opened !== 'not ours') this.seals.push(opened)
  }
}

/** Seals the forms of an answer, if it is a page that can be read, which is then for this client alone. */
function sealed(
  exchange: Exchange,
  head: ResponseHead,
  { session: earlierSession, host, target }: Visit,
  {
    forms,
    seals,
    needs,
  }: { readonly forms: SnapshotForms; readonly seals: FormSeals; readonly needs: NeedsOfAddresses },
): BodyFilter | undefined {
  const { type, charset } = mediaTypeOf(head)
  const isXml = type === 'application/xhtml+xml'
  const isPage =
    (type === 'text/html' || isXml) && !/^utf-(?:16|32)/.test(charset) && hasReadableBody(exchange, head)
  const isRedirection = headerValue(head.headers, 'location') !== undefined
  if (!isPage && !isRedirection) return undefined
  const session = earlierSession ?? newSession()
  const shownAt = exchange.runtime.now()
  let isSealed = false
  const page = new PageSeals(
    { host, isSecure: exchange.isSecure, target, charset },
    {
      needs,
      parameter: forms.parameter,
      honeypot: forms.honeypot,
      seal: (paths, values) => {
        isSealed = true
        return seals.seal({ shownAt, paths, values }, session)
      },
    },
  )
  replaceHeaderLinks(head, page)
  if (!isPage && !isSealed) return undefined
  keepFromOthers(head)
  exchange.isAnswerPersonal = true
  if (earlierSession === undefined) head.headers.push('Set-Cookie', sessionCookie(exchange, session))
  if (!isPage) return undefined
  forgetBytes(head)
  return new HtmlLinks(page, { isXml })
}

/** Seals are for one client and one time: nobody may keep the page without asking for it anew. */
function keepFromOthers(head: ResponseHead): void {
  const isNotStored = headerValue(head.headers, 'cache-control')?.includes('no-store') === true
  changeHeaders(head, (name, value) =>
    ['etag', 'last-modified', 'expires', 'cache-control'].includes(name) ? undefined : value,
  )
  head.headers.push('Cache-Control', isNotStored ? 'no-store' : 'private, no-cache')
}
