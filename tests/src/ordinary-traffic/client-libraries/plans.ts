import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from '../recorded-request.ts'
import type { Plan } from '../visits.ts'
import { answeringServer } from './answering-server.ts'
import { libraryVisit, numberOf } from './visit-library.ts'

/** The files in `pages/` that have libraries. */
export const families = ['ads', 'analytics', 'errors', 'search', 'sites', 'transports', 'widgets'] as const

/** One of three libraries is held out, by a hash of its name. */
const partOf = (library: string): Part => (numberOf(library) % 3 === 0 ? 'held-out' : 'tuned')

/** The client libraries of sites of one part, as applications are. @param packages below which npm installed them */
export function libraryPlans(part: Part, packages: string): Readonly<Record<string, () => Plan>> {
  return Object.fromEntries(
    families.flatMap((family) =>
      librariesOf(family)
        .filter((library) => partOf(library) === part)
        .map((library) => [
          `client-${family}-${library}`,
          () => ({ start: answeringServer, visit: libraryVisit(family, library, packages) }),
        ]),
    ),
  )
}

/** The names that a family's file exports: functions, one indentation deep. */
function librariesOf(family: string): string[] {
  const text = readFileSync(join(import.meta.dirname, 'pages', `${family}.js`), 'utf8')
  return Array.from(text.matchAll(/^ {2}'?([\w-]+)'?: (?:async )?\(\) =>/gm), ([, name = '']) => name)
}
