import './settings.css'
import { Group, Loader, NativeSelect, Table } from '@mantine/core'
import { type FirewallKind, shellWord } from '@palisade/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { texts as shared } from '../../texts.ts'
import { differencesOf, factory, type PolicyContent, policyKind, readPolicy } from './compare-policies.ts'
import { kindQuery, labelOf } from './kinds.ts'
import { useManagement } from './management.ts'
import { texts as all } from './texts.ts'
import { lineOf, type Value } from './values.ts'

const texts = all.policies

/** Two security policies side by side. */
export function PoliciesPage() {
  const management = useManagement()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const kinds = useQueries({
    queries: [policyKind, 'action-policy', 'data-theft-protection', 'global-acl'].map(kindQuery),
  })
  const policies = useQuery({
    queryKey: ['firewall', 'security-policies', 'names'],
    queryFn: async () =>
      (await management.list('security-policies', { groups: 'Security Policy' })).map(([name]) => name),
  })
  const failure = policies.error ?? kinds.find(({ error }) => error)?.error
  if (failure) return <Failure error={failure} tryAgain={() => void policies.refetch()} />
  const [kind, ...inside] = kinds.flatMap(({ data }) => data ?? [])
  if (!policies.data || kind === undefined || inside.length < 3) return <Loader aria-label={shared.loading} />
  const chosen = (name: string, otherwise: string) =>
    typeof search[name] === 'string' ? search[name] : otherwise
  const one = chosen('one', policies.data[0] ?? factory)
  const other = chosen('other', policies.data.find((name) => name !== one) ?? factory)
  const choose = (names: object) =>
    void navigate({ to: '/firewall/policies', search: { one, other, ...names } as never })
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      <p>{texts.introduction}</p>
      <Group mb="md">
        <PolicyChoice
          label={texts.one}
          value={one}
          policies={policies.data}
          onChange={(name) => choose({ one: name })}
        />
        <PolicyChoice
          label={texts.other}
          value={other}
          policies={policies.data}
          onChange={(name) => choose({ other: name })}
        />
      </Group>
      <Comparison key={`${one} ${other}`} kind={kind} inside={inside} one={one} other={other} />
      <SameCall
        palisade={`palisade firewall get security-policy ${shellWord(one)} --all`}
        path={`/firewall/restapi/v3.2/security-policies/${encodeURIComponent(one)}`}
      />
    </>
  )
}

function PolicyChoice({
  label,
  value,
  policies,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly policies: readonly string[]
  readonly onChange: (name: string) => void
}) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[...policies, { value: factory, label: texts.factory }]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function Comparison({
  kind,
  inside,
  one,
  other,
}: {
  readonly kind: FirewallKind
  readonly inside: readonly FirewallKind[]
  readonly one: string
  readonly other: string
}) {
  const management = useManagement()
  // What a new policy has inside is up to whoever makes it: it has no objects to compare.
  const compared = one === factory || other === factory ? [] : inside
  const [first, second] = useQueries({
    queries: [one, other].map((name) => ({
      queryKey: ['firewall', 'security-policies', name, 'comparison', compared.length],
      queryFn: (): Promise<PolicyContent> => readPolicy(management, kind, compared, name),
    })),
  })
  const failure = first?.error ?? second?.error
  if (failure) return <Failure error={failure} />
  if (!first?.data || !second?.data) return <Loader aria-label={shared.loading} />
  const differences = differencesOf(first.data, second.data)
  if (differences.length === 0) return <p role="status">{texts.same}</p>
  const nameOf = (policy: string) => (policy === factory ? texts.factory : policy)
  return (
    <>
      <p role="status">
        {differences.length} {differences.length === 1 ? texts.difference : texts.differences}
      </p>
      <ScrollTable
        label={texts.title}
        headings={[texts.setting, nameOf(one), nameOf(other)]}
        minWidth={480}
        highlightOnHover
        layout="fixed"
      >
        {differences.map(({ part, name, one: mine, other: theirs }) => (
          <Table.Tr key={`${part} ${name}`}>
            <Table.Th scope="row">
              {labelOf(name, all.initials)}
              <div className="setting-help">{part}</div>
            </Table.Th>
            <Table.Td className="setting-value">
              <DifferentValue value={mine} other={theirs} />
            </Table.Td>
            <Table.Td className="setting-value">
              <DifferentValue value={theirs} other={mine} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    </>
  )
}

/** A value; of a list, what is not in the other one stands out. */
function DifferentValue({
  value,
  other,
}: {
  readonly value: Value | undefined
  readonly other: Value | undefined
}) {
  if (value === undefined || value.length === 0) return <span className="setting-help">{texts.empty}</span>
  if (typeof value === 'string' || !Array.isArray(other)) return lineOf(value)
  return (
    <ul className="values">
      {value.map((item) => (
        <li key={item}>{other.includes(item) ? item : <strong>{item}</strong>}</li>
      ))}
    </ul>
  )
}
