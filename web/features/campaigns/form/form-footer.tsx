import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import type { SaveMode } from './use-campaign-save.ts'

type FormFooterProps = {
  readonly dirty: boolean
  readonly last: boolean
  readonly pending: SaveMode | null
  /** How many files are on their way; a save would leave them out. */
  readonly uploading: number
  readonly onCancel: () => void
  readonly onSave: () => void
  readonly onPublish: () => void
}

export function FormFooter({ dirty, last, pending, uploading, onCancel, onSave, onPublish }: FormFooterProps) {
  const { t } = useTranslation('form')
  const held = uploading === 0 ? null : t('footer.uploading', { count: uploading })
  const note = held ?? (dirty ? t('footer.dirty') : null)
  const send = { disabled: pending !== null || held !== null, ...(held === null ? {} : { title: held }) }
  return (
    <footer
      data-slot="form-footer"
      className="border-hairline bg-surface sticky bottom-0 z-20 mt-auto flex items-center gap-2 border-t px-8 py-3"
    >
      <Button variant="ghost" onClick={onCancel}>
        {t('footer.cancel')}
      </Button>
      <output className="text-ink-soft text-table ml-auto mr-2 flex items-center gap-2">
        {note !== null && (
          <>
            <span aria-hidden className="bg-warn-dot size-1.5 rounded-full" />
            {note}
          </>
        )}
      </output>
      <Button variant="secondary" {...send} onClick={onSave}>
        {t(pending === 'save' ? 'footer.saving' : last ? 'footer.save' : 'footer.saveNext')}
      </Button>
      <Button {...send} onClick={onPublish}>
        {t(pending === 'publish' ? 'footer.publishing' : 'footer.publish')}
      </Button>
    </footer>
  )
}
