import { Alert, Stack } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Command } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { sentenceText } from '../../../format.ts'
import { useSession } from '../../../use-session.ts'
import { texts as all } from '../texts.ts'

const texts = all.vault

/** What of the backup service needs attention now, each with its remedy; or that nothing does. */
export function Damage() {
  const { administration } = useSession()
  const conditions = useQuery({
    queryKey: ['attention', 'backup'],
    queryFn: () =>
      answer(administration.GET('/attention', { params: { query: { service: 'backup', limit: 100 } } })),
  })
  if (conditions.error) return <Failure error={conditions.error} />
  if (!conditions.data) return null
  const { items } = conditions.data
  if (items.length === 0) return <p>{texts.whole}</p>
  return (
    <Stack gap="sm" mt="md">
      {items.map(({ id, severity, message, remedy }) => (
        <Alert key={id} color={severity === 'critical' ? 'red' : 'yellow'} title={sentenceText(message)}>
          <p>{texts.remedy}</p>
          <Command line={remedy} />
        </Alert>
      ))}
    </Stack>
  )
}
