import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { assignSubmission, type QueuedSubmission } from '#contract/moderation'
import { NativeSelect, NativeSelectOption } from '@/components/ui/native-select'
import { call } from '@/data/client'
import { moderationQueries } from '@/data/moderation-queries'

const NONE = ''

/** Assigns the submission to a moderator. */
export function AssignChoice({ submission }: { readonly submission: QueuedSubmission }) {
  const { t } = useTranslation('moderation')
  const { data } = useQuery(moderationQueries.moderators())
  const { mutate, isPending, variables } = useMutation({
    meta: { invalidates: [moderationQueries.all()] },
    mutationFn: (id: string) =>
      call(assignSubmission, { body: { campaign_id: submission.campaign_id, moderator_id: id === NONE ? null : id } }),
  })
  const { assignee } = submission
  const people = data?.people ?? []
  const shown = assignee === null || people.some(({ id }) => id === assignee.id) ? people : [assignee, ...people]
  return (
    <label className="text-muted-foreground flex items-center gap-2">
      {t('assign.label')}
      <NativeSelect
        className="text-xs h-7"
        value={isPending ? variables : (assignee?.id ?? NONE)}
        disabled={data === undefined || isPending}
        onChange={({ target }) => mutate(target.value)}
      >
        <NativeSelectOption value={NONE}>{t('assign.none')}</NativeSelectOption>
        {shown.map(({ id, name }) => (
          <NativeSelectOption key={id} value={id}>
            {name}
          </NativeSelectOption>
        ))}
      </NativeSelect>
    </label>
  )
}
