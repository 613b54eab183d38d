import { Button, Group } from '@mantine/core'
import type { FirewallKind } from '@palisade/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Listing } from '../../components/listing.tsx'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { CreateForm } from './create-form.tsx'
import { DeletionNotice } from './deletion-notice.tsx'
import { argumentsOf, type IndexedKind, inside, labelOf, type Place, pathOf } from './kinds.ts'
import { type Members, useManagement } from './management.ts'
import { texts as all } from './texts.ts'
import { lineOf, shownValue } from './values.ts'
import { PlaceLink, Way } from './way.tsx'

const texts = all.collection
const pageSize = 100

/** How many fields a list shows beside the names. */
const columnsMax = 4

/** The objects of a kind in one place, and a form for another one. */
export function CollectionPage({
  place,
  kind,
  kinds,
}: {
  readonly place: Place
  readonly kind: FirewallKind
  readonly kinds: readonly IndexedKind[]
}) {
  const management = useManagement()
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const isAllowed = mayChange(useSession(), 'firewall')
  const around = placeAround(place, kinds)
  const objectOf = (name: string) => inside(around, place.kind, name)
  const told = Object.entries(kind.fields)
    .filter(
      ([name, field]) => name !== kind.identifiedBy && !field.isSecret && (field.lengthMax ?? 0) <= 4096,
    )
    .slice(0, columnsMax)
  return (
    <>
      <Way place={place} kinds={kinds} />
      <h1 className="page-title">{kind.title}</h1>
      <p>{kind.description}</p>
      <DeletionNotice />
      {isAllowed && kind.operations.includes('create') && !isCreating && (
        <Group mb="md">
          <Button color="blue.8" onClick={() => setCreating(true)}>
            {texts.createOf} {kind.title}
          </Button>
        </Group>
      )}
      {isCreating && (
        <CreateForm
          place={place}
          kind={kind}
          onCreated={(name) => {
            setCreating(false)
            void navigate({ to: '/firewall/settings/$', params: { _splat: pathOf(objectOf(name)) } })
          }}
          onCancel={() => setCreating(false)}
        />
      )}
      <Listing
        title={kind.title}
        name={['firewall', place.address, 'list']}
        read={async (after = '0') => {
          const query = { groups: kind.title, limit: String(pageSize), offset: after }
          const items = await management.list(place.address, query)
          return { items, next: items.length < pageSize ? null : String(Number(after) + pageSize) }
        }}
        idOf={([name]) => name}
        columns={[
          [texts.name, ([name]) => <PlaceLink place={objectOf(name)}>{name}</PlaceLink>],
          ...told.map(
            ([name, field]) =>
              [
                labelOf(name, all.initials),
                ([, members]: readonly [string, Members]) => lineOf(shownValue(field, members[name])),
              ] as const,
          ),
        ]}
      />
      <SameCall
        palisade={`palisade firewall list ${argumentsOf(place)}`}
        path={`/firewall/restapi/v3.2/${place.address}`}
      />
    </>
  )
}

/** The object that holds the list; undefined for a list that lies inside nothing. */
function placeAround({ kind, names }: Place, kinds: readonly IndexedKind[]): Place | undefined {
  const parent = kinds.find(({ name }) => name === kind.parent)
  if (parent === undefined) return undefined
  const around = placeAround({ kind: parent, names: names.slice(0, -1), address: '', isObject: false }, kinds)
  return inside(around, parent, parent.identifiedBy === undefined ? undefined : names.at(-1))
}
