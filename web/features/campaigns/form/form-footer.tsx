import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useCampaignForm } from './campaign-form-context.ts'
import type { SaveMode } from './use-campaign-save.ts'

type FormFooterProps = {
  readonly last: boolean
  readonly pending: SaveMode | null
  /** How many files are on their way; a save would leave them out. */
  readonly uploading: number
  readonly onCancel: () => void
  readonly onSave: () => void
  readonly onPublish: () => void
}

export function FormFooter({ last, pending, uploading, onCancel, onSave, onPublish }: FormFooterProps) {
  const { t } = useTranslation('form')
  const { control } = useCampaignForm()
  const { isDirty } = useFormState({ control })
  const held = uploading === 0 ? null : t('footer.uploading', { count: uploading })
  const note = held ?? (isDirty ? t('footer.dirty') : null)
  const send = { disabled: held !== null, 'aria-disabled': pending !== null }
  // Disabled, the button pressed would lose the focus while it waits.
  const once = (act: () => void) => () => {
    if (pending === null) act()
  }
  return (
    <footer
      data-slot="form-footer"
      className="border-border bg-card sticky bottom-0 z-20 mt-auto flex flex-wrap items-center gap-2 border-t px-4 py-3 lg:px-8"
    >
      <Button variant="ghost" onClick={onCancel}>
        {t('footer.cancel')}
      </Button>
      <output className="text-muted-foreground text-[0.8125rem]/4.5 ml-auto mr-2 flex items-center gap-2">
        {note !== null && (
          <>
            <span aria-hidden className="bg-warning-dot size-1.5 rounded-full" />
            {note}
          </>
        )}
      </output>
      <Button data-save variant="outline" {...send} onClick={once(onSave)}>
        {t(pending === 'save' ? 'footer.saving' : last ? 'footer.save' : 'footer.saveNext')}
      </Button>
      <Button {...send} onClick={once(onPublish)}>
        {t(pending === 'publish' ? 'footer.publishing' : 'footer.publish')}
      </Button>
    </footer>
  )
}
