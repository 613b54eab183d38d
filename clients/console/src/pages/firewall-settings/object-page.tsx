import { Button, Group, Loader, TextInput } from '@mantine/core'
import type { FirewallKind } from '@palisade/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { mayChange } from '../../rights.ts'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { fieldsFound } from './fields-found.ts'
import { argumentsOf, type IndexedKind, inside, type Place, pathOf } from './kinds.ts'
import { useManagement } from './management.ts'
import { partsOf } from './parts.ts'
import { Section } from './section.tsx'
import { texts as all } from './texts.ts'
import { PlaceLink, Way } from './way.tsx'

const texts = all.object

/** The settings of one object, a part for its own fields and for each of its sections. */
export function ObjectPage({
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
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<readonly string[]>([''])
  const isAllowed = mayChange(useSession(), 'firewall')
  const [unsaved, setUnsaved] = useState<readonly string[]>([])
  const object = useQuery({
    queryKey: ['firewall', place.address],
    queryFn: () => management.read(place.address),
  })
  const hasDraft = unsaved.length > 0
  const leaving = useBlocker({
    shouldBlockFn: () => hasDraft,
    enableBeforeUnload: hasDraft,
    withResolver: true,
  })
  if (object.isError) return <Failure error={object.error} tryAgain={() => void object.refetch()} />
  if (!object.data) return <Loader aria-label={shared.loading} />
  const { members, etag } = object.data
  const parts = partsOf(kind, members)
  const found = parts.map((part) => ({
    ...part,
    visible: fieldsFound(part.fields, `${part.title} ${part.segment}`, search),
  }))
  const count = found.reduce((sum, { visible }) => sum + visible.length, 0)
  const isAllOpen = found.every(({ segment }) => open.includes(segment))
  const children = kinds.filter(({ parent }) => parent === kind.name)
  const name = place.names.at(-1) ?? kind.title
  const title = kind.identifiedBy === undefined ? kind.title : `${kind.title} ${name}`
  return (
    <>
      <Way place={place} kinds={kinds} />
      <h1 className="page-title">{title}</h1>
      <p>{kind.description}</p>
      {parts.length > 1 && (
        <Group align="end" mb="md">
          <TextInput
            type="search"
            label={texts.search}
            placeholder={texts.searchExample}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            className="settings-search"
          />
          <Button
            variant="default"
            onClick={() => setOpen(isAllOpen ? [] : found.map(({ segment }) => segment))}
          >
            {isAllOpen ? texts.closeAll : texts.openAll}
          </Button>
        </Group>
      )}
      <p aria-live="polite">
        {search !== '' && (count === 0 ? texts.nothingFound : `${count} ${texts.found}`)}
      </p>
      {found.map(({ segment, title: partTitle, description, fields, visible, isReadable, shown }) => (
        <Section
          key={segment}
          segment={segment}
          title={partTitle}
          description={description}
          fields={fields}
          visible={visible}
          members={shown}
          isReadable={isReadable}
          destination={{
            method: 'PUT',
            address: segment === '' ? place.address : `${place.address}/${segment}`,
            etag,
          }}
          isOpen={search === '' ? parts.length === 1 || open.includes(segment) : visible.length > 0}
          onOpen={(isOpen) => {
            if (search !== '' || open.includes(segment) === isOpen) return
            const others = open.filter((one) => one !== segment)
            setOpen(isOpen ? [...others, segment] : others)
          }}
          onUnsaved={(isUnsaved) => setUnsaved((before) => withMember(before, segment, isUnsaved))}
          onRenamed={(sent) => {
            const renamed = kind.identifiedBy === undefined ? undefined : sent[kind.identifiedBy]
            if (segment !== '' || typeof renamed !== 'string') return
            const path = pathOf(place).replace(/[^/]*$/, renamed.replace(/[%/]/g, encodeURIComponent))
            void navigate({ to: '/firewall/settings/$', params: { _splat: path }, ignoreBlocker: true })
          }}
        />
      ))}
      {children.length > 0 && (
        <section aria-labelledby="inside">
          <h2 id="inside" className="section-title">
            {texts.inside}
          </h2>
          <KindLinks kinds={children} around={place} />
        </section>
      )}
      {isAllowed && kind.operations.includes('delete') && <RemoveObject place={place} title={title} />}
      <SameCall
        palisade={`palisade firewall get ${argumentsOf(place)} --all`}
        path={`/firewall/restapi/v3.2/${place.address}`}
      />
      {leaving.status === 'blocked' && (
        <Confirm
          title={texts.leave}
          action={texts.leaveAction}
          isPending={false}
          error={null}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        >
          <p>{texts.leaveWhy}</p>
        </Confirm>
      )}
    </>
  )
}

/** The members with one more, or without it; the same array when nothing changes. */
function withMember(members: readonly string[], member: string, isMember: boolean): readonly string[] {
  if (members.includes(member) === isMember) return members
  return isMember ? [...members, member] : members.filter((one) => one !== member)
}

/** Links to kinds, each with what it is. @param around the object that holds them; undefined for what lies inside nothing */
export function KindLinks({
  kinds,
  around,
}: {
  readonly kinds: readonly IndexedKind[]
  readonly around?: Place | undefined
}) {
  return (
    <ul className="kinds">
      {kinds.map((kind) => (
        <li key={kind.name}>
          <PlaceLink place={inside(around, kind)}>{kind.title}</PlaceLink>
          <div className="setting-help">{kind.description}</div>
        </li>
      ))}
    </ul>
  )
}

function RemoveObject({ place, title }: { readonly place: Place; readonly title: string }) {
  const [isAsked, setAsked] = useState(false)
  const management = useManagement()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () => management.change('DELETE', place.address),
    async onSuccess({ checkpoint }) {
      queries.removeQueries({ queryKey: ['firewall', place.address] })
      await navigate({
        to: '/firewall/settings/$',
        params: { _splat: pathOf(place).replace(/\/[^/]*$/, '') },
        state: { deletion: { what: title, checkpoint } },
        ignoreBlocker: true,
      })
      await queries.invalidateQueries({ queryKey: ['firewall'] })
    },
  })
  return (
    <Group mt="lg" mb="lg">
      <Button variant="default" aria-haspopup="dialog" onClick={() => setAsked(true)}>
        {texts.remove} {title}
      </Button>
      {isAsked && (
        <Confirm
          title={texts.removeTitle}
          action={`${texts.remove} ${title}`}
          isPending={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>{place.kind.name === 'user' ? texts.removeUserWhy : texts.removeWhy}</p>
          {place.kind.name === 'service' && <p>{texts.removeServiceWhy}</p>}
        </Confirm>
      )}
    </Group>
  )
}
