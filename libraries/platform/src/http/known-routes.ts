import type { FastifyInstance } from 'fastify'

/** The methods and addresses that a scope serves, to tell "no such address" from "not with this method". */
export class KnownRoutes {
  readonly #methodsByPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  /** Notices every route that is added to the scope from now on. */
  watch(scope: FastifyInstance): void {
    scope.addHook('onRoute', ({ url, method }) => {
      const route = this.#methodsByPattern.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
      for (const one of [method].flat()) route.methods.add(one)
      this.#methodsByPattern.set(url, route)
    })
  }

  /** The methods that the path answers to; none when there is nothing at this path. */
  methodsAt(path: string): string[] {
    const methods = [...this.#methodsByPattern.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods])
    return [...new Set(methods)].sort()
  }
}

/** "/accounts/:id" becomes a pattern in which `:id` is one path segment. */
function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/')
  return new RegExp(`^${source}/?$`)
}
