import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLabel, removeLabel, type AccountLabel } from '#contract/labels'
import { LABEL_COLORS, LONGEST_LABEL, type LabelColor } from '#domain/campaign/labels'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { ActionDialog } from '@/components/dialog-frame'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { TONES } from './label-colors.ts'
import { LABELLED, labelsQuery } from './label-queries.ts'
import '@/i18n/texts/labels'

type ManageLabelsDialogProps = {
  readonly spaceId: string
  readonly onClose: () => void
  /** Gets the id of a label that was deleted. */
  readonly onDeleted: (id: string) => void
}

/** Renames, recolours and deletes the labels of an account. */
export default function ManageLabelsDialog({ spaceId, onClose, onDeleted }: ManageLabelsDialogProps) {
  const { t } = useTranslation(['labels', 'common'])
  const { data } = useQuery(labelsQuery(spaceId))
  const [deleting, setDeleting] = useState<AccountLabel | null>(null)
  const remove = useMutation({
    meta: { invalidates: LABELLED },
    mutationFn: ({ id }: AccountLabel) => call(removeLabel, { params: { id } }),
    onSuccess: ({ id }, { name }) => {
      onDeleted(id)
      toast.success(t('labels:deleted', { name }))
    },
    onError: errorToast,
  })
  return (
    <>
      <ActionDialog
        title={t('labels:manage')}
        description={t('labels:manageText')}
        className="w-[560px]"
        cancel={t('common:close')}
        onClose={() => deleting === null && onClose()}
      >
        {data?.labels.length === 0 && <p className="text-muted-foreground">{t('labels:none')}</p>}
        <ul aria-label={t('labels:title')} className="flex flex-col gap-2">
          {data?.labels.map((label) => (
            <LabelRow key={`${label.id} ${label.name}`} label={label} onDelete={() => setDeleting(label)} />
          ))}
        </ul>
      </ActionDialog>
      <ConfirmDialog
        open={deleting !== null}
        tone="destructive"
        title={t('labels:deleteTitle', { name: deleting?.name })}
        text={t('labels:deleteText', { count: deleting?.campaigns ?? 0 })}
        confirm={t('labels:delete')}
        cancel={t('common:cancel')}
        onConfirm={() => {
          if (deleting !== null) remove.mutate(deleting)
          setDeleting(null)
        }}
        onCancel={() => setDeleting(null)}
      />
    </>
  )
}

/** A label with its name, which is saved by Enter or on leaving the field, its colour and its deletion. */
function LabelRow({ label, onDelete }: { readonly label: AccountLabel; readonly onDelete: () => void }) {
  const { t } = useTranslation('labels')
  const { id, name, color, campaigns } = label
  const [typed, setTyped] = useState(name)
  /** Leaving the field after Enter must not send the name again. */
  const sent = useRef(name)
  const { mutate } = useMutation({
    meta: { invalidates: LABELLED },
    mutationFn: (patch: { readonly name?: string; readonly color?: LabelColor }) =>
      call(changeLabel, { params: { id }, body: patch }),
    onError: (error) => {
      setTyped(name)
      sent.current = name
      errorToast(error)
    },
  })
  const rename = () => {
    const next = typed.trim()
    if (next === '') setTyped(name)
    else if (next !== sent.current) {
      sent.current = next
      mutate({ name: next })
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="size-3 shrink-0 rounded-full" style={{ backgroundColor: TONES[color] }} />
      <Input
        aria-label={t('nameOf', { name })}
        maxLength={LONGEST_LABEL}
        className="w-48 min-w-0 grow"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename()
        }}
      />
      <NativeSelect
        aria-label={t('colorOf', { name })}
        className="w-32"
        value={color}
        onChange={({ target }) => {
          const chosen = LABEL_COLORS.find((one) => one === target.value)
          if (chosen !== undefined) mutate({ color: chosen })
        }}
      >
        {LABEL_COLORS.map((one) => (
          <option key={one} value={one}>
            {t(`colors.${one}`)}
          </option>
        ))}
      </NativeSelect>
      <span className="text-muted-foreground w-28 text-right text-xs tabular-nums">{t('campaigns', { count: campaigns })}</span>
      <Button variant="ghost" size="icon" aria-label={t('deleteOf', { name })} onClick={onDelete}>
        <Trash2 aria-hidden />
      </Button>
    </li>
  )
}
