import './search.css'
import { TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { mayRead } from '../rights.ts'
import { texts as shared } from '../texts.ts'
import { useSession } from '../use-session.ts'
import { type GroupOfResults, resultsOf, type Target, targetsByForm } from './results.ts'
import { pageTargets, settingTargetsQuery, targetQueries } from './targets.ts'
import { texts } from './texts.ts'

/** Finds whatever has a name, by parts of it: pages, settings, and things of all services that the operator may see. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [search, setSearch] = useState('')
  const { targets, isReading, isIncomplete } = useTargets()
  const wanted = useDeferredValue(search)
  const seesFirewall = mayRead(useSession(), 'firewall')
  const groups = useMemo(
    () => resultsOf(seesFirewall ? [...targetsByForm(wanted), ...targets] : targets, wanted),
    [targets, wanted, seesFirewall],
  )
  const frame = useRef<HTMLDivElement>(null)
  const count = groups.reduce((sum, { targets: shown, more }) => sum + shown.length + more, 0)
  const isAsked = wanted.trim() !== ''
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys go from the field to the links and back */}
      <div ref={frame} className="search" onKeyDown={(event) => moveByKeys(event, frame.current)}>
        <TextInput
          type="search"
          label={texts.label}
          value={search}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <p role="status" className="quiet">
          {statusOf({ isAsked, isReading, count })}
        </p>
        {!isAsked && <p className="quiet">{texts.hint}</p>}
        {isIncomplete && <p className="quiet">{texts.incomplete}</p>}
        {groups.map((group) => (
          <Results key={group.group} group={group} onChoose={onClose} />
        ))}
      </div>
    </Dialog>
  )
}

function statusOf({
  isAsked,
  isReading,
  count,
}: {
  readonly isAsked: boolean
  readonly isReading: boolean
  readonly count: number
}): string {
  if (!isAsked) return texts.keys
  if (count === 0) return isReading ? shared.loading : texts.nothing
  return texts.count(count)
}

function Results({
  group: { group, targets, more },
  onChoose,
}: {
  readonly group: GroupOfResults
  readonly onChoose: () => void
}) {
  return (
    <section aria-label={texts.groups[group]}>
      <h3>{texts.groups[group]}</h3>
      <ul>
        {targets.map(({ label, detail, to }) => (
          <li key={to}>
            <Link to={to} className="search-result" onClick={onChoose} preload={false}>
              {label} {detail && <small>{detail}</small>}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet">{texts.more(more)}</p>}
    </section>
  )
}

/** All that can be found: the pages at once, the rest as it comes. */
function useTargets() {
  const session = useSession()
  const read = useQueries({
    queries: targetQueries(session).map((query) => ({ ...query })),
    combine: (queries) => ({
      targets: queries.flatMap(({ data = [] }): readonly Target[] => data),
      isReading: queries.some(({ isPending }) => isPending),
      isIncomplete: queries.some(({ isError }) => isError),
    }),
  })
  const settings = useQuery({ ...settingTargetsQuery, enabled: mayRead(session, 'firewall') })
  const targets = useMemo(
    () => [...pageTargets(session), ...read.targets, ...(settings.data ?? [])],
    [session, read.targets, settings.data],
  )
  return { ...read, targets }
}

/** Arrows go through the results, Enter in the field opens the first one, Escape closes all, and whatever is typed goes on in the field. */
function moveByKeys(event: KeyboardEvent, frame: HTMLElement | null): void {
  const field = frame?.querySelector('input')
  const links = [...(frame?.querySelectorAll('a') ?? [])]
  const at = links.findIndex((link) => link.matches(':focus'))
  if (event.key === 'Enter' && document.activeElement === field) {
    event.preventDefault()
    links[0]?.click()
  } else if (event.key === 'Escape') {
    // Chromium's own Escape would only empty the field.
    event.preventDefault()
    frame?.closest('dialog')?.close()
  } else if (event.key === 'ArrowDown' && at < links.length - 1) {
    event.preventDefault()
    links[at + 1]?.focus()
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault()
    ;(links[at - 1] ?? field)?.focus()
  } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== ' ') {
    field?.focus()
  }
}
