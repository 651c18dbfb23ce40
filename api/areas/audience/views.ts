import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import { pinnedVersion } from '#domain/audience/audience'
import type { AudienceRow, VersionRow } from '#projections/audience/queries'
import { idsIn } from '#domain/campaign/saving/references'
import type { AudienceUse } from '#projections/campaign/list/audience-queries'
import type { AudienceItem } from '#contract/audiences'

export function itemOf(row: AudienceRow, uses: readonly AudienceUse[]): AudienceItem {
  const { id, space_id, space_name, name, kind, status, version, created_at, updated_at, members } = row
  const counts =
    kind === 'dynamic'
      ? { row_count: members, accepted: members, rejected: 0, duplicates: 0 }
      : { row_count: row.rows, accepted: row.accepted, rejected: row.rejected, duplicates: row.duplicates }
  return {
    id,
    space_id,
    space_name,
    name,
    type: kind,
    status,
    status_key: status,
    ...counts,
    matched: members,
    version,
    used_in: usesOf(id, uses).length,
    created_at,
    updated_at,
  }
}

const usesOf = (id: string, uses: readonly AudienceUse[]) => uses.filter(({ audiences }) => idsIn(audiences).includes(id))

/** The campaigns that use an audience, each with the version that it was approved with. */
export function campaignsOf({ id, version: newest }: AudienceRow, versions: readonly VersionRow[], uses: readonly AudienceUse[]) {
  const ready = versions.flatMap(({ status, version, finished_at: at }) =>
    status === 'ready' && at !== null ? [{ version, at }] : [],
  )
  return usesOf(id, uses).flatMap((use) => {
    const list = (['includeAny', 'include', 'exclude'] as const).find((key) => use.audiences[key].includes(id))
    if (list === undefined) return []
    const version = use.approved_at === null ? null : pinnedVersion(ready, use.approved_at)
    const newer_version = version !== null && newest !== null && newest > version
    return [{ id: use.id, name: use.name, status_key: use.status_key, list, version, newer_version }]
  })
}

export const versionOf = (row: VersionRow, author: string) => ({
  version: row.version,
  status_key: AUDIENCE_STATUS[row.status],
  row_count: row.rows,
  accepted: row.accepted,
  rejected: row.rejected,
  duplicates: row.duplicates,
  reasons: Object.fromEntries(Object.entries(row.reasons)),
  code: row.code,
  rules: row.rules as never,
  author,
  created_at: row.started_at,
  finished_at: row.finished_at,
})
