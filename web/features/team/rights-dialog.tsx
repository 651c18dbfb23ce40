import { endOfDay } from 'date-fns'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grantRight, takeRight, type TeamMember } from '#contract/team'
import type { SingleRight } from '#domain/kit/access'
import { DateInput } from '@/components/date/date-input'
import { ActionDialog } from '@/components/dialog-frame'
import { LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { isDay } from '@/lib/date-range'
import { toast } from '@/lib/toast'
import { nameOf, useRoleNames } from './role-names.ts'
import { actionFault } from './team-faults.ts'
import type { OfferedRight } from './team-offers.ts'
import { teamQueries } from './team-queries.ts'

type RightsDialogProps = {
  readonly spaceId: string
  readonly person: TeamMember
  readonly rights: readonly OfferedRight[]
  readonly onClose: () => void
}

/** Acts of the call on a right. */
type Change = { readonly right: SingleRight; readonly act: OfferedRight['act'] }

/** Grants single rights beyond the role of a person, and takes them. Each button acts at once. */
export function RightsDialog({ spaceId, person, rights, onClose }: RightsDialogProps) {
  const { t } = useTranslation(['team', 'common'])
  const roleNames = useRoleNames()
  const [day, setDay] = useState('')
  const name = nameOf(person)
  const isWrong = day !== '' && !isDay(day)
  const { mutate, isPending, variables } = useMutation({
    meta: { silent: true, invalidates: [teamQueries.all(), ['approvals']] },
    mutationFn: async ({ right, act }: Change) => {
      const params = { id: spaceId, person: person.id }
      if (act === 'take') return { ...(await call(takeRight, { params, body: { right } })), approval_id: null }
      // A right of the role comes back for good.
      const until = act === 'grant' && isDay(day) ? endOfDay(new Date(`${day}T00:00:00`)).toISOString() : null
      return call(grantRight, { params, body: { right, until } })
    },
    onSuccess: ({ approval_id }, { act }) =>
      toast.success(approval_id === null ? t(`team:rights.done.${act}`, { name }) : t('team:done.waiting')),
    onError: (error) => toast.error(actionFault(error)),
  })
  return (
    <ActionDialog
      title={t('team:rights.title', { name })}
      description={t('team:rights.text', { roles: roleNames(person.roles) })}
      className="w-[560px]"
      cancel={t('common:close')}
      onClose={onClose}
    >
      {rights.some(({ act }) => act === 'grant') && (
        <LabelledField
          label={t('team:rights.until')}
          help={t('team:rights.untilHelp')}
          error={isWrong ? t('team:rights.noDay') : undefined}
        >
          <DateInput label={t('team:rights.until')} value={day} onChange={setDay} />
        </LabelledField>
      )}
      <ul className="divide-border flex flex-col divide-y">
        {rights.map((one) => (
          <Right
            key={one.right}
            offered={one}
            isBusy={isPending && variables.right === one.right}
            isBlocked={one.act === 'grant' && isWrong}
            onChange={mutate}
          />
        ))}
      </ul>
    </ActionDialog>
  )
}

type RightProps = {
  readonly offered: OfferedRight
  readonly isBusy: boolean
  readonly isBlocked: boolean
  readonly onChange: (change: Change) => void
}

function Right({ offered: { right, own, byRole, act }, isBusy, isBlocked, onChange }: RightProps) {
  const { t } = useTranslation(['team', 'common'])
  const id = useId()
  const state = own === null ? (byRole ? 'byRole' : 'none') : own.until === null ? own.kind : 'grantedUntil'
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="flex min-w-0 grow flex-col">
        <span id={id} className="font-medium">
          {t(`common:right.${right}`)}
        </span>
        <span className="text-muted-foreground text-xs wrap-anywhere">
          {t(`team:rights.state.${state}`, { by: own?.by ?? '', at: own?.until == null ? '' : formatMinute(own.until) })}
        </span>
      </span>
      <Button
        type="button"
        size="sm"
        variant="outline"
        disabled={isBusy || isBlocked}
        aria-describedby={id}
        onClick={() => onChange({ right, act })}
      >
        {t(`team:rights.${act}`)}
      </Button>
    </li>
  )
}
