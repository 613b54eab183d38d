import { withoutPort } from '../../exchange/address.ts'
import type { Links } from '../../html/links.ts'
import { wildcard } from '../../patterns/wildcard.ts'
import type { Translations } from './translations.ts'

/** A page of a server as a client gets it. */
export interface OutsidePage {
  /** As the client said it. */
  readonly host: string
  readonly isSecure: boolean
  /** The host that the server was asked for. */
  readonly insideHost: string
}

/**
 * Links as clients need them: those that lead to addresses inside lead outside instead, and those of secure hosts to HTTPS. Links
 * that are relative to their page stay as they are.
 */
export class OutsideLinks implements Links {
  readonly #page: OutsidePage
  readonly #translations: Translations
  readonly #isSecureHost: (host: string) => boolean

  constructor(page: OutsidePage, translations: Translations, isSecureHost: (host: string) => boolean) {
    this.#page = page
    this.#translations = translations
    this.#isSecureHost = isSecureHost
  }

  link(url: string): string | undefined {
    const [, scheme = '', authority, path = ''] =
      /^\s*(?:(https?:)?\/\/([^/?#\s]*))?([^#]*#?[\s\S]*)$/i.exec(url) ?? []
    const outside = this.#outside(scheme, authority, path)
    return outside ?? this.#secure(scheme, authority, path)
  }

  #outside(scheme: string, authority: string | undefined, path: string): string | undefined {
    const { host: known, isSecure, insideHost } = this.#page
    if (this.#translations.isEmpty || (authority === undefined && !path.startsWith('/'))) return undefined
    const target = path.startsWith('/') ? path : `/${path}`
    const place = this.#translations.toOutside({ host: authority ?? insideHost, target }, known)
    if (place === undefined) return undefined
    if (authority === undefined && place.host === known) return place.target
    const ownScheme = scheme === '' && authority !== undefined ? '' : `http${isSecure ? 's' : ''}:`
    return `${ownScheme}//${place.host}${place.target}`
  }

  #secure(scheme: string, authority: string | undefined, path: string): string | undefined {
    if (scheme.toLowerCase() !== 'http:' || authority === undefined || !this.#isSecureHost(authority))
      return undefined
    return `https://${authority.replace(/:80$/, '')}${path}`
  }
}

/** @param hosts with or without a port; `*` stands for any characters */
export function secureHostTest(hosts: readonly string[]): (host: string) => boolean {
  const tests = hosts.map((host) => {
    const fits = wildcard(host)
    return /:\d+$/.test(host) ? fits : (authority: string) => fits(withoutPort(authority))
  })
  return (host) => tests.some((fits) => fits(host))
}
