import { Loader } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Failure } from '../../components/failure.tsx'
import { texts as shared } from '../../texts.ts'
import './firewall.css'
import { ProtectForm } from './protect-form.tsx'
import { useServices } from './reads.ts'
import { texts as all } from './texts.ts'
import { WatchedService } from './watched-service.tsx'

const texts = all.protect
const route = getRouteApi('/shell/firewall/protect')

/** The way from an application that nobody guards to one whose attackers are refused, step by step. */
export function ProtectPage() {
  const { service: name } = route.useSearch()
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      {name === undefined ? (
        <>
          <Steps current={0} />
          <ProtectForm />
        </>
      ) : (
        <Begun name={name} />
      )}
    </>
  )
}

function Begun({ name }: { readonly name: string }) {
  const services = useServices()
  if (services.isError) return <Failure error={services.error} tryAgain={() => void services.refetch()} />
  if (!services.data) return <Loader aria-label={shared.loading} />
  const service = services.data.find((one) => one.name === name)
  if (service === undefined) return <Failure error={new Error(all.service.none(name))} />
  return (
    <>
      <Steps current={service.mode === 'Active' ? texts.steps.length : 1} />
      <WatchedService service={service} />
    </>
  )
}

/** Where on the way one is. @param current the number of the step, from 0 on; more than there are when all are done */
function Steps({ current }: { readonly current: number }) {
  return (
    <ol className="steps">
      {texts.steps.map((step, index) => (
        <li
          key={step}
          data-state={index < current ? 'done' : undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  )
}
