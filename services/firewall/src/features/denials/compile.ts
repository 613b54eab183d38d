import type { SnapshotDenial, SnapshotFollowUp, SnapshotPage } from '@palisade/proxy-protocol'
import { numberIfGiven, oneOf, text } from '../../kinds/conversions.ts'
import { fieldReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { actionPolicy } from '../action-policies/fields.ts'
import { pageNamed, responsePageReader } from '../response-pages/compile.ts'
import { globalAcl } from '../url-acls/global-acl.ts'
import { urlAcl } from '../url-acls/url-acl.ts'

const followUps: Readonly<Record<string, SnapshotFollowUp['does']>> = {
  'Block Client-IP': 'block',
  'Tarpit Client': 'tarpit',
}

/** Older proxies know nothing of it, so it is no {@link SnapshotFollowUp}: those leave it out. */
const captchaFollowUp = 'Challenge with CAPTCHA'

const kindsThatDeny = [actionPolicy, globalAcl, urlAcl]

/** What action policies and access rules do with requests, and with clients that they refuse. */
export const denialReader = fieldReader(kindsThatDeny, {
  action: ['action', text],
  response: ['deny-response', text],
  location: ['redirect-url', text],
  followUpAction: ['follow-up-action', oneOf('None', captchaFollowUp, ...Object.keys(followUps))],
  followUpSeconds: ['follow-up-action-time', numberIfGiven],
})

/** The response page that is named: one at most. Where none is, {@link pageOf} takes `default`. */
export const pageOfDenial = referenceReader(kindsThatDeny, 'response-page')

/** How an action policy or an access rule answers clients that it refuses. */
export function compileDenial(object: ConfigurationObject, snapshot: Snapshot): SnapshotDenial {
  const { response, location } = denialReader.of(object)
  if (response === 'Close Connection' || response === 'Reset') return { kind: 'close' }
  return redirectOf(response, location) ?? { kind: 'page', page: pageOf(object, snapshot) }
}

/** @param choice an action, or a response to a denial @returns undefined where it is no redirect, or one to nowhere */
export function redirectOf(choice: string, location: string): SnapshotDenial | undefined {
  if (location === '' || !choice.endsWith('Redirect')) return undefined
  return { kind: 'redirect', status: choice.startsWith('Permanent') ? 301 : 302, location }
}

/** The page that an object names, or the one that is called `default`. */
export function pageOf(object: ConfigurationObject, snapshot: Snapshot): SnapshotPage {
  const [page] = pageOfDenial.of(object, snapshot)
  return page ? responsePageReader.of(page) : pageNamed('default', object, snapshot)
}

/** What becomes of further requests of the client of a refused one. */
export function followUp(object: ConfigurationObject): {
  readonly followUp?: SnapshotFollowUp
  readonly captchaSeconds?: number
} {
  const { followUpAction, followUpSeconds: seconds } = denialReader.of(object)
  if (followUpAction === captchaFollowUp) return optional('captchaSeconds', seconds)
  const does = followUps[followUpAction]
  return does === undefined || seconds === undefined ? {} : { followUp: { does, seconds } }
}
