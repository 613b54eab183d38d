import type { Plan } from '../visits.ts'
import * as debian from './debian-applications.ts'
import * as debianVisits from './debian-visits.ts'
import * as npm from './npm-applications.ts'
import * as npmVisits from './npm-visits.ts'
import { useShop } from './shop-visit.ts'
import { useTickets } from './tickets-visit.ts'
import { useWordPress } from './word-press-visit.ts'

/** The applications of the part that is held out. @param packages below which npm installed them */
export function heldOutPlans(packages: string): Readonly<Record<string, () => Plan>> {
  return {
    wordpress: () => ({ start: debian.wordPress, visit: useWordPress }),
    shaarli: () => ({ start: debian.bookmarks, visit: debianVisits.useBookmarks }),
    fossil: () => ({ start: debian.sourcesAndTickets, visit: debianVisits.useSourcesAndTickets }),
    'request-tracker': () => ({ start: debian.tickets, visit: useTickets }),
    influxdb: () => ({ start: debian.measurements, visit: debianVisits.useMeasurements }),
    transmission: () => ({ start: debian.transmission, visit: debianVisits.useTransmission }),
    'docker-registry': () => ({ start: debian.imageRegistry, visit: debianVisits.useImageRegistry }),
    tiddlywiki: () => ({ start: () => npm.tiddlyWiki(packages), visit: npmVisits.useTiddlyWiki }),
    verdaccio: () => ({ start: () => npm.verdaccio(packages), visit: npmVisits.useVerdaccio }),
    apollo: () => ({ start: () => npm.apolloForum(packages), visit: npmVisits.useApolloForum }),
    'parse-server': () => ({ start: () => npm.parseServer(packages), visit: npmVisits.useParseServer }),
    vendure: () => ({ start: () => npm.shop(packages), visit: useShop }),
    odata: () => ({ start: () => npm.odata(packages), visit: npmVisits.useOdata }),
    'json-rpc': () => ({ start: () => npm.remoteProcedures(packages), visit: npmVisits.useRemoteProcedures }),
  }
}
