import './settings.css'
import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import { CollectionPage } from './collection-page.tsx'
import { type IndexedKind, kindQuery, kindsQuery, type Place, placeAt } from './kinds.ts'
import { KindsPage } from './kinds-page.tsx'
import { ObjectPage } from './object-page.tsx'
import { texts as all } from './texts.ts'

const texts = all.object

/** What an address of the firewall's management names: a list of objects, or the settings of one; without an address, the way to all. */
export function SettingsPage() {
  const { _splat: path = '' } = useParams({ strict: false })
  return path === '' ? <KindsPage /> : <PlacePage path={path} />
}

/** All settings of a service. */
export function ServiceSettingsPage() {
  const { service } = useParams({ from: '/shell/firewall/services/$service/settings' })
  return <PlacePage path={`services/${service.replace(/[%/]/g, encodeURIComponent)}`} />
}

function PlacePage({ path }: { readonly path: string }) {
  const kinds = useQuery(kindsQuery)
  if (kinds.isError) return <Failure error={kinds.error} />
  if (!kinds.data) return <Loader aria-label={shared.loading} />
  const place = placeAt(kinds.data, path)
  if (place === undefined) return <Failure error={new Error(texts.noPlace)} />
  return <PageOf key={place.address} place={place} kinds={kinds.data} />
}

function PageOf({ place, kinds }: { readonly place: Place; readonly kinds: readonly IndexedKind[] }) {
  const kind = useQuery(kindQuery(place.kind.name))
  if (kind.isError) return <Failure error={kind.error} />
  if (!kind.data) return <Loader aria-label={shared.loading} />
  return place.isObject ? (
    <ObjectPage place={place} kind={kind.data} kinds={kinds} />
  ) : (
    <CollectionPage place={place} kind={kind.data} kinds={kinds} />
  )
}
