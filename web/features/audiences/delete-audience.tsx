import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { deleteAudience } from '#contract/audiences'
import { z } from '#contract/zod'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { ActionDialog } from '@/components/dialog-frame'
import { AppError } from '@/data/app-error'
import { AUDIENCES_KEY, audienceQueries } from '@/data/audience-queries'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'

const IN_USE = 184
const users = z.object({ campaigns: z.array(z.object({ id: z.string(), name: z.string() })) })

type DeleteAudienceProps = {
  readonly audience: { readonly id: string; readonly name: string }
  readonly onClose: () => void
  readonly onDeleted?: () => void
}

/** Asks before an audience is deleted. For one that campaigns use it names them instead: such an audience is kept. */
export function DeleteAudience({ audience, onClose, onDeleted }: DeleteAudienceProps) {
  const { t } = useTranslation('audiences')
  const remove = useMutation({
    meta: { silent: true, invalidates: [AUDIENCES_KEY] },
    mutationFn: () => call(deleteAudience, { params: { id: audience.id } }),
    onSuccess: () => {
      toast.success(t('deleted'))
      onClose()
      onDeleted?.()
    },
    onError: (error) => {
      if (usersIn(error) !== null) return
      errorToast(error)
      onClose()
    },
  })
  const known = useQuery(audienceQueries.one(audience.id))
  if (known.isPending) return null
  const used = known.data?.campaigns ?? []
  // The server knows better than a list that is some seconds old.
  const campaigns = usersIn(remove.error) ?? (used.length > 0 ? used : null)
  if (campaigns === null)
    return (
      <ConfirmDialog
        open
        title={t('deleteTitle', { name: audience.name })}
        text={t('deleteText')}
        confirm={t('deleteConfirm')}
        cancel={t('cancel')}
        tone="destructive"
        onConfirm={() => remove.mutate()}
        onCancel={onClose}
      />
    )
  return (
    <ActionDialog title={t('inUseTitle')} description={t('inUseText')} cancel={t('close')} onClose={onClose}>
      <ul className="flex flex-col gap-1">
        {campaigns.map(({ id, name }) => (
          <li key={id}>
            <Link to="/campaign/edit/$id" params={{ id }} className="text-primary-ink hover:underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </ActionDialog>
  )
}

function usersIn(error: unknown) {
  if (!(error instanceof AppError) || error.code !== IN_USE) return null
  const read = users.safeParse(error.data)
  return read.success ? read.data.campaigns : []
}
