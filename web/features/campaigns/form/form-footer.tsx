import type { ReactNode } from 'react'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ariaKeys, isDialogOpen } from '@/app/shortcuts/keys'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { StickyFooter } from '@/components/form/sticky-footer'
import { Button } from '@/components/ui/button'
import { useCampaignForm } from './campaign-form-context.ts'
import type { SaveMode } from './use-campaign-save.ts'

const SAVE = 'mod+s'

type FormFooterProps = {
  readonly last: boolean
  readonly pending: SaveMode | null
  /** The pending save waits for the connection. */
  readonly waiting: boolean
  /** Number of running uploads. A save now would omit these files. */
  readonly uploading: number
  readonly notice: ReactNode
  readonly onCancel: () => void
  readonly onStopWaiting: () => void
  readonly onSave: () => void
  readonly onSaveNext: () => void
  readonly onPublish: () => void
}

export function FormFooter(props: FormFooterProps) {
  const { last, pending, waiting, uploading, notice, onCancel, onStopWaiting, onSave, onSaveNext, onPublish } = props
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { isDirty } = useFormState({ control })
  const held = uploading === 0 ? null : t('footer.uploading', { count: uploading })
  const note = waiting ? t('footer.waiting') : (held ?? (isDirty ? t('footer.dirty') : null))
  const send = { disabled: held !== null, 'aria-disabled': pending !== null }
  // A disabled button would lose the focus while the request is pending.
  const once = (act: () => void) => () => {
    if (pending === null) act()
  }
  useShortcuts([
    {
      id: 'campaign.save',
      label: t('footer.save'),
      keys: [SAVE],
      when: () => held === null && !isDialogOpen(),
      run: once(onSave),
    },
  ])
  return (
    <StickyFooter
      note={note}
      notice={notice}
      start={
        <Button variant="ghost" onClick={onCancel}>
          {t('footer.cancel')}
        </Button>
      }
    >
      {waiting && (
        <Button variant="ghost" onClick={onStopWaiting}>
          {t('footer.stopWaiting')}
        </Button>
      )}
      <Button data-save variant="outline" {...send} aria-keyshortcuts={ariaKeys([SAVE])} onClick={once(onSave)}>
        {t(pending === 'save' ? 'footer.saving' : 'footer.save')}
      </Button>
      {!last && (
        <Button variant="outline" {...send} onClick={once(onSaveNext)}>
          {t(pending === 'next' ? 'footer.saving' : 'footer.saveNext')}
        </Button>
      )}
      <Button {...send} onClick={once(onPublish)}>
        {t(pending === 'publish' ? 'footer.publishing' : 'footer.publish')}
      </Button>
    </StickyFooter>
  )
}
