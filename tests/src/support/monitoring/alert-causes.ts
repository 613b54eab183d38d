/** Values of series, one for every four minutes, in the notation of promtool. */
export type Series = Readonly<Record<string, string>>

const interval = '4m'
const always = (value: number | string) => `${value}+0x30`
/** So many more with each value. */
const growing = (by: number) => `0+${by}x30`
/** Nothing for long, and then so many more with each value. */
const lately = (by: number) => `0x25 0+${by}x5`

const requests = 'palisade_http_request_duration_seconds_count'
const attention = (service: string, condition: string, severity: string) =>
  `palisade_attention{service="${service}",condition="${condition}",severity="${severity}"}`

/** What an installation shows that is well. */
export const healthy: Series = {
  'up{job="palisade",instance="server"}': always(1),
  'up{job="palisade-proxy",instance="proxy"}': always(1),
  palisade_database_up: always(1),
  [`${requests}{instance="server",service="email",status="200"}`]: growing(60),
  [`${requests}{instance="server",service="email",status="500"}`]: growing(0),
  'palisade_jobs_overdue_seconds{queue="notifications"}': always(0),
  'palisade_jobs_overdue_seconds{queue="upkeep"}': always(3600),
  'palisade_jobs_failed_total{queue="upkeep"}': growing(0),
  'palisade_certificate_expiry_timestamp_seconds{used_by="applications"}': always(30 * 86_400),
  [attention('backup', 'backup-failed', 'warning')]: always(1),
  palisade_backup_newest_good_revision_age_seconds: always(3600),
  'palisade_backup_newest_good_revision_age_seconds{set="new"}': always('+Inf'),
  'palisade_backup_tasks_ended_total{task="backup",state="SUCCESS"}': growing(1),
  'palisade_backup_tasks_ended_total{task="backup",state="ERROR"}': growing(0),
  'palisade_backup_oldest_unfinished_age_seconds{task="backup"}': always(3600),
  palisade_backup_vault_writable: always(1),
  'palisade_backup_damage_found_total{finder="restore"}': growing(0),
  palisade_backup_chunks_refused_total: growing(0),
  palisade_proxy_management_up: always(1),
  'palisade_firewall_rules_loaded{proxy="one"}': always(600),
  'palisade_proxy_blocked_total{service="shop"}': growing(10),
  'palisade_proxy_requests_total{service="shop",status="2xx"}': growing(600),
  'palisade_proxy_requests_total{service="shop",status="5xx"}': growing(1),
  'palisade_proxy_upstream_failures_total{service="shop"}': growing(1),
  palisade_proxy_workers_ended_total: growing(0),
  'palisade_proxy_event_loop_delay_seconds{worker="1",of="p99"}': always(0.02),
  'palisade_proxy_log_entries_lost_total{cause="too-many"}': growing(0),
}

/** What makes each alert fire, and no other one. Series that are not named are as {@link healthy} has them. */
export const causes: readonly (readonly [alert: string, series: Series])[] = [
  ['PalisadeServerDown', { 'up{job="palisade",instance="server"}': always(0) }],
  ['PalisadeDatabaseAway', { palisade_database_up: always(0) }],
  ['PalisadeBackupsHaveNoServer', { palisade_backup_active: always(0) }],
  ['PalisadeErrors', { [`${requests}{instance="server",service="email",status="500"}`]: growing(6) }],
  ['PalisadeWorkOverdue', { 'palisade_jobs_overdue_seconds{queue="notifications"}': growing(60) }],
  ['PalisadeWorkOverdue', { 'palisade_jobs_overdue_seconds{queue="upkeep"}': always(25_000) }],
  ['PalisadeJobsFail', { 'palisade_jobs_failed_total{queue="upkeep"}': lately(1) }],
  ['PalisadeNotificationsFail', { [attention('administration', 'channel-failing', 'warning')]: always(1) }],
  [
    'PalisadeCertificateNotRenewed',
    { [attention('firewall', 'certificate-not-renewed', 'critical')]: always(1) },
  ],
  [
    'PalisadeCertificateNotRenewed',
    { [attention('operations', 'certificate-expiry', 'warning')]: always(1) },
  ],
  [
    'PalisadeCertificateExpires',
    { 'palisade_certificate_expiry_timestamp_seconds{used_by="applications"}': always(80_000) },
  ],
  ['PalisadeDiskFillingUp', { [attention('disk', 'disk-filling-up', 'warning')]: always(1) }],
  ['PalisadeNeedsAttention', { [attention('operations', 'listener-closed', 'critical')]: always(1) }],
  ['PalisadeNoGoodBackup', { [attention('backup', 'no-good-backup', 'critical')]: always(1) }],
  ['PalisadeBackupTooOld', { palisade_backup_newest_good_revision_age_seconds: always(9 * 86_400) }],
  ['PalisadeBackupsFail', { 'palisade_backup_tasks_ended_total{task="backup",state="ERROR"}': lately(1) }],
  ['PalisadeTaskStuck', { 'palisade_backup_oldest_unfinished_age_seconds{task="backup"}': always(90_000) }],
  ['PalisadeAgentGone', { [attention('backup', 'agent-gone', 'warning')]: always(2) }],
  ['PalisadeRevisionNotProved', { [attention('backup', 'not-proved', 'warning')]: always(1) }],
  ['PalisadeVaultNotWritable', { palisade_backup_vault_writable: always(0) }],
  ['PalisadeBackupDamaged', { 'palisade_backup_damage_found_total{finder="restore"}': lately(1) }],
  ['PalisadeBackupDamaged', { [attention('backup', 'revision-damaged', 'critical')]: always(1) }],
  ['PalisadeChunksRefused', { palisade_backup_chunks_refused_total: lately(1) }],
  ['PalisadeProxyDown', { 'up{job="palisade-proxy",instance="proxy"}': always(0) }],
  ['PalisadeProxyWithoutServer', { palisade_proxy_management_up: always(0) }],
  ['PalisadeRulesNotLoaded', { 'palisade_firewall_rules_loaded{proxy="one"}': always(0) }],
  ['PalisadeAttackSurge', { 'palisade_proxy_blocked_total{service="shop"}': lately(300) }],
  ['PalisadeAttackSurge', { [attention('firewall', 'attack-wave', 'warning')]: always(1) }],
  [
    'PalisadeApplicationErrors',
    { 'palisade_proxy_requests_total{service="shop",status="5xx"}': growing(60) },
  ],
  ['PalisadeUpstreamDown', { 'palisade_proxy_upstream_failures_total{service="shop"}': growing(60) }],
  ['PalisadeWorkerCrashes', { palisade_proxy_workers_ended_total: lately(1) }],
  ['PalisadeProxySlow', { 'palisade_proxy_event_loop_delay_seconds{worker="1",of="p99"}': always(0.8) }],
  ['PalisadeLogEntriesLost', { 'palisade_proxy_log_entries_lost_total{cause="too-many"}': lately(5) }],
]

/**
 * Tests of rules for promtool: with nothing wrong no alert fires, and with each cause its alert alone.
 *
 * @param rules the file with the rules
 */
export function ruleTests(rules: string): object {
  const after = (series: Series, firing: readonly string[]) => ({
    interval,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'max by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '2h',
        exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  })
  return {
    rule_files: [rules],
    evaluation_interval: interval,
    tests: [
      after(healthy, []),
      ...causes.map(([alert, series]) => after({ ...healthy, ...series }, [alert])),
    ],
  }
}
