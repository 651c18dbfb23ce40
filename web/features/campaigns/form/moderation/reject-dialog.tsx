import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '../../../../components/ui/dialog.tsx'
import { Field, Textarea } from '../../../../components/ui/field.tsx'
import type { DecisionDialogProps } from './approve-dialog.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { useDecision } from './use-decision.ts'

export function RejectDialog({ campaign, open, onClose, onReload }: DecisionDialogProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const [comment, setComment] = useState('')
  const [tried, setTried] = useState(false)
  const { decide, pending, stale } = useDecision(campaign)
  const empty = comment.trim() === ''
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent title={t('moderation:rejectTitle')} description={t('moderation:rejectText')}>
        <DialogBody>
          {stale && <StaleNotice onReload={onReload} />}
          <Field label={t('moderation:reason')} error={tried && empty ? t('moderation:reasonRequired') : undefined}>
            <Textarea value={comment} required maxLength={5000} onChange={(event) => setComment(event.target.value)} />
          </Field>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="secondary">{t('common:cancel')}</Button>
          </DialogClose>
          <Button
            variant="danger"
            disabled={pending || stale}
            onClick={() => {
              setTried(true)
              if (!empty) decide({ kind: 'reject', comment: comment.trim() })
            }}
          >
            {t('moderation:reject')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
