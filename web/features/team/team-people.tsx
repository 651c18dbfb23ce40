import { useQuery } from '@tanstack/react-query'
import { Search, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamMember } from '#contract/team'
import { DataTable } from '@/components/data-table/data-table'
import { BoardImage } from '@/components/empty-images'
import { plain } from '@/components/picker/best-matches'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { useKeptRow } from '@/lib/use-kept-row'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { useTeamColumns } from './team-columns.tsx'
import type { TeamDialog } from './team-dialogs.tsx'
import { offersFor, type TeamAction } from './team-offers.ts'
import { teamQueries } from './team-queries.ts'
import { usePersonAction } from './use-person-action.ts'
import '@/i18n/texts/team'

const TeamDialogs = lazy(async () => ({ default: (await import('./team-dialogs.tsx')).TeamDialogs }))

/** More people than this can be searched. */
const SEARCHED_ABOVE = 10

type TeamPeopleProps = {
  readonly spaceId: string
  /** The frame around the people, with the button that invites one; null for users who may only read. */
  readonly renderFrame: (invite: ReactNode, people: ReactNode) => ReactNode
}

/** The people of an account: who may sign in, with which role, and what can be done about it. */
export function TeamPeople({ spaceId, renderFrame }: TeamPeopleProps) {
  const { t } = useTranslation('team')
  const me = useMe()
  const { data: team, error, refetch } = useQuery(teamQueries.of(spaceId))
  const [dialog, setDialog] = useState<TeamDialog | null>(null)
  const [query, setQuery] = useState('')
  const { mutate, isPending, variables } = usePersonAction(spaceId)
  const keptRow = useKeptRow<HTMLDivElement>()
  const act = (action: TeamAction, person: TeamMember) => {
    if (action === 'resend' || action === 'reactivate') mutate({ action, person })
    else setDialog({ kind: action, person })
  }
  const columns = useTeamColumns({
    me: me.id,
    offersOf: (person) => (team === undefined ? [] : offersFor(me, team, person)),
    onAction: act,
  })
  const people = team?.people ?? []
  const manages = can(me, 'team.manage')
  const isAlone = manages && people.every(({ id }) => id === me.id)
  const wanted = people.length > SEARCHED_ABOVE ? plain(query.trim()) : ''
  const shown = people.filter((person) => plain(`${person.first_name} ${person.last_name} ${person.email}`).includes(wanted))
  const invite = (
    <Button onClick={() => setDialog({ kind: 'invite' })}>
      <UserPlus aria-hidden />
      {t('invite.open')}
    </Button>
  )
  return renderFrame(
    manages && team !== undefined && !isAlone ? invite : null,
    <>
      {people.length > SEARCHED_ABOVE && (
        <search className="relative w-80 max-w-full">
          <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
          <Input
            type="search"
            autoComplete="off"
            maxLength={300}
            aria-label={t('search')}
            placeholder={t('search')}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            className="pl-9"
          />
        </search>
      )}
      <div {...keptRow} className="flex flex-col gap-4">
        {(people.length > 0 || team === undefined) && (
          <DataTable
            caption={t('table')}
            columns={columns}
            rowId={({ id }) => id}
            rows={team === undefined ? undefined : shown}
            failed={{ title: t('error'), error, onRetry: () => void refetch() }}
            noMatch={{
              title: t('noMatch.title'),
              text: t('noMatch.text'),
              clear: t('noMatch.clear'),
              onClear: () => setQuery(''),
            }}
            isRowBusy={({ id }) => isPending && variables.person.id === id}
            testId="person"
          />
        )}
        {team !== undefined && isAlone && (
          <div className="border-border bg-card rounded-lg border">
            <EmptyState
              image={<BoardImage />}
              title={t('alone.title')}
              text={t(people.length === 0 ? 'alone.textOther' : 'alone.text')}
            >
              {invite}
            </EmptyState>
          </div>
        )}
      </div>
      <Suspense>
        {team !== undefined && dialog !== null && (
          <TeamDialogs
            spaceId={spaceId}
            team={team}
            dialog={dialog}
            onConfirm={(action, person) => {
              setDialog(null)
              mutate({ action, person })
            }}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </>,
  )
}
