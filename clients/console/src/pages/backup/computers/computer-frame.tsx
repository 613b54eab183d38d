import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { computerQuery, useComputer, useMayChange } from '../data.ts'
import { RunningTasks } from '../running-tasks.tsx'
import { texts as all } from '../texts.ts'
import { AgentState } from './agent-state.tsx'
import '../backup.css'

const texts = all.computer

/** What stands above every page of one computer: its name, whether its agent is there, the ways to its pages, and what runs now. */
export function ComputerFrame() {
  const at = useComputer()
  const { account, computer } = at
  const isAllowed = useMayChange()
  const { data } = useQuery(computerQuery(at))
  const params = { account, computer }
  return (
    <>
      <div className="computer-frame">
        <p className="computer-name">
          <Link to="/backup/computers" search={{ account }}>
            {account}
          </Link>{' '}
          / <strong>{data?.name ?? computer}</strong> {data && <AgentState computer={data} />}
        </p>
        <nav aria-label={texts.pages} className="computer-pages">
          <Link to="/backup/computers/$account/$computer" params={params} activeOptions={{ exact: true }}>
            {texts.revisions}
          </Link>
          {isAllowed && (
            <Link to="/backup/computers/$account/$computer/restore" params={params}>
              {texts.restore}
            </Link>
          )}
          <Link to="/backup/computers/$account/$computer/sets" params={params}>
            {texts.sets}
          </Link>
          <Link to="/backup/computers/$account/$computer/tasks" params={params}>
            {texts.tasks}
          </Link>
          <Link to="/backup/computers/$account/$computer/machines" params={params}>
            {texts.machines}
          </Link>
          <Link to="/backup/computers/$account/$computer/agent" params={params}>
            {texts.agent}
          </Link>
        </nav>
        <RunningTasks />
      </div>
      <Outlet />
    </>
  )
}
