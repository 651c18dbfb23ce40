import { useTranslation } from 'react-i18next'
import type { TeamMember } from '#contract/team'
import type { DataColumn } from '@/components/data-table/table-view'
import { Badge } from '@/components/ui/badge'
import { formatDistance, formatMinute } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { PersonAvatar } from '@/session/person-avatar'
import { PersonMenu } from './person-menu.tsx'
import { nameOf, useRoleNames } from './role-names.ts'
import type { TeamAction } from './team-offers.ts'
import { TeamState } from './team-state.tsx'

const MINUTE_MS = 60_000

type Rows = {
  /** Id of the user, whose own row is marked. */
  readonly me: string
  readonly offersOf: (person: TeamMember) => readonly TeamAction[]
  readonly onAction: (action: TeamAction, person: TeamMember) => void
}

export function useTeamColumns({ me, offersOf, onAction }: Rows): readonly DataColumn<TeamMember>[] {
  const { t } = useTranslation('team')
  const roleNames = useRoleNames()
  return [
    {
      id: 'name',
      header: t('columns.name'),
      rowHeader: true,
      cell: (person) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <PersonAvatar name={nameOf(person)} pictureId={null} />
          <span className="min-w-0">
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate font-medium">{nameOf(person)}</span>
              {person.id === me && <Badge variant="secondary">{t('you')}</Badge>}
            </span>
            <span className="text-muted-foreground block text-xs wrap-anywhere">{person.email}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'roles',
      header: t('columns.roles'),
      width: 'w-44',
      cell: ({ roles, rights }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {roleNames(roles)}
          <OwnRights rights={rights} />
        </span>
      ),
    },
    { id: 'state', header: t('columns.state'), width: 'w-32', cell: (person) => <TeamState state={person.state} /> },
    {
      id: 'factor',
      header: t('columns.factor'),
      width: 'w-36',
      cell: ({ second_factor: on }) => (
        <span className={on ? '' : 'text-muted-foreground'}>{t(on ? 'factor.on' : 'factor.off')}</span>
      ),
    },
    { id: 'seen', header: t('columns.seen'), width: 'w-40', cell: (person) => <LastSeen person={person} /> },
    {
      id: 'menu',
      header: t('columns.menu'),
      headerHidden: true,
      controls: true,
      width: 'w-14',
      className: 'text-right',
      cell: (person) => {
        const offers = offersOf(person)
        return offers.length > 0 && <PersonMenu person={person} offers={offers} onChoose={(action) => onAction(action, person)} />
      },
    },
  ]
}

/** Differences from the role: how many rights were granted or taken, with their names. */
function OwnRights({ rights }: Pick<TeamMember, 'rights'>) {
  const { t } = useTranslation(['team', 'common'])
  return (['granted', 'taken'] as const).map((kind) => {
    const own = rights.filter((one) => one.kind === kind)
    const names = own.map(({ right }) => t(`common:right.${right}`)).join(', ')
    return (
      own.length > 0 && (
        <Badge key={kind} variant="outline" title={names}>
          {t(`team:rights.badge.${kind}`, { count: own.length })}
        </Badge>
      )
    )
  })
}

/** When a person was last signed in, or how long they are invited. */
function LastSeen({ person: { state, created_at, last_seen_at } }: { readonly person: TeamMember }) {
  const { t } = useTranslation('team')
  const now = useNow(MINUTE_MS)
  const at = state === 'invited' ? created_at : last_seen_at
  if (at === null) return <span className="text-muted-foreground">{t('neverSeen')}</span>
  const distance = formatDistance(at, now)
  return (
    <time dateTime={at} title={formatMinute(at)} className="tabular-nums">
      {state === 'invited' ? t('invitedAt', { at: distance }) : distance}
    </time>
  )
}
