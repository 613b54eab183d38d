import type { SnapshotPage, SnapshotSignInPages } from '@palisade/proxy-protocol'
import { text } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { kindNamedBy, optional } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { responsePageReader } from '../response-pages/compile.ts'
import { service } from '../services/service.ts'

/** The names of the pages that people see while they sign in and out; "custom..." sends them to the URL beside it. */
export const signInPageNames = sectionReader(service, 'authentication', {
  login: ['login-page', text],
  loginFailed: ['login-failed-page', text],
  loggedIn: ['login-successful-page', text],
  loggedOut: ['logout-successful-page', text],
  denied: ['access-denied-page', text],
})

/** Where people are sent in the place of pages that are "custom...". */
export const signInUrls = sectionReader(service, 'authentication', {
  loginFailed: ['login-failure-url', text],
  loggedIn: ['login-success-url', text],
  loggedOut: ['logout-success-url', text],
})

const custom = 'custom...'

/** A page, or the address in its place; undefined where there is neither, and proxies show one of their own. */
type PageOrAddress = SnapshotPage | string | undefined

/** The pages on the way to an application. */
export function compileSignInPages(object: ConfigurationObject, snapshot: Snapshot): SnapshotSignInPages {
  const [names, urls] = [signInPageNames.of(object), signInUrls.of(object)]
  const kind = kindNamedBy(object.kind, 'login-page')
  const pageOf = (name: string): SnapshotPage | undefined => {
    const page = kind && snapshot.object(kind, [name])
    return page && responsePageReader.of(page)
  }
  const pageOrAddress = (name: string, url: string): PageOrAddress =>
    name === custom ? url || undefined : pageOf(name)
  return {
    ...optional('login', pageOf(names.login)),
    ...optional('loginFailed', pageOrAddress(names.loginFailed, urls.loginFailed)),
    ...optional('loggedIn', pageOrAddress(names.loggedIn, urls.loggedIn)),
    ...optional('loggedOut', pageOrAddress(names.loggedOut, urls.loggedOut)),
    ...optional('denied', pageOf(names.denied)),
  }
}

/** The members that send people to a URL which is not given. */
export function customPagesWithoutUrl(object: ConfigurationObject): string[] {
  const [names, urls] = [signInPageNames.of(object), signInUrls.of(object)]
  const members = {
    loginFailed: 'login-failed-page',
    loggedIn: 'login-successful-page',
    loggedOut: 'logout-successful-page',
  } as const
  return Object.entries(members).flatMap(([name, member]) => {
    const page = name as keyof typeof members
    return names[page] === custom && urls[page] === '' ? member : []
  })
}
