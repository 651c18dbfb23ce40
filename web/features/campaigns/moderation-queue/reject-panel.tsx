import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { markSaved } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { RejectForm, useRejectForm } from '@/features/campaigns/moderation/reject-form'
import type { RejectValues } from '@/features/campaigns/moderation/reject-reasons'
import type { Verdict } from '@/features/campaigns/moderation/use-decision'
import { mayClose } from '@/lib/unsaved'

type RejectPanelProps = {
  readonly campaignId: string
  /** Input before the rejection came back. */
  readonly draft: Verdict | null
  /** Initial values of the rejection otherwise. */
  readonly suggested?: RejectValues | undefined
  /** The server refused it, or another moderator holds the submission; the reason is shown above. */
  readonly blocked: boolean
  readonly onCancel: () => void
  readonly onReject: (verdict: Verdict) => void
}

const SEND = 'mod+enter'

/** A rejection form beside the submission, so that the ads stay visible. Escape asks before what was typed is lost. */
export function RejectPanel({ campaignId, draft, suggested, blocked, onCancel, onReject }: RejectPanelProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const form = useRejectForm(draft, suggested)
  const element = useRef<HTMLFormElement>(null)
  useShortcuts([
    {
      id: 'moderation.sendRejection',
      label: t('moderation:reject'),
      keys: [SEND],
      when: () => !blocked,
      run: () => element.current?.requestSubmit(),
    },
    { id: 'moderation.cancelRejection', label: t('common:cancel'), keys: ['escape'], run: () => void close() },
  ])
  const close = async () => {
    if (await mayClose()) onCancel()
  }
  return (
    // A dialog beside the page: single-key shortcuts are off while it is open.
    <dialog
      open
      aria-label={t('moderation:rejectTitle')}
      className="border-border bg-muted text-foreground rounded-lg static m-0 w-full max-w-none border px-4 py-3"
    >
      <p className="text-muted-foreground text-[0.8125rem]/4.5 mb-3">{t('moderation:rejectText')}</p>
      <RejectForm
        form={form}
        campaignId={campaignId}
        focused
        formRef={element}
        className="flex flex-col gap-3"
        onReject={(verdict) => {
          markSaved(form)
          onReject(verdict)
        }}
      >
        <div className="flex gap-2">
          <Button variant="destructive" type="submit" disabled={blocked} aria-keyshortcuts={ariaKeys([SEND])}>
            {t('moderation:reject')}
            <ShortcutHint keys={SEND} />
          </Button>
          <Button type="button" variant="outline" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        </div>
      </RejectForm>
    </dialog>
  )
}
