import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import type { SaveMode } from './use-campaign-save.ts'

type FormFooterProps = {
  readonly dirty: boolean
  readonly last: boolean
  readonly pending: SaveMode | null
  readonly onCancel: () => void
  readonly onSave: () => void
  readonly onPublish: () => void
}

export function FormFooter({ dirty, last, pending, onCancel, onSave, onPublish }: FormFooterProps) {
  const { t } = useTranslation('form')
  return (
    <footer className="border-hairline bg-surface sticky bottom-0 z-20 mt-auto flex items-center gap-2 border-t px-8 py-3">
      <Button variant="ghost" onClick={onCancel}>
        {t('footer.cancel')}
      </Button>
      <output className="text-ink-soft text-table ml-auto mr-2 flex items-center gap-2">
        {dirty && (
          <>
            <span aria-hidden className="bg-warn-dot size-1.5 rounded-full" />
            {t('footer.dirty')}
          </>
        )}
      </output>
      <Button variant="secondary" disabled={pending !== null} onClick={onSave}>
        {t(pending === 'save' ? 'footer.saving' : last ? 'footer.save' : 'footer.saveNext')}
      </Button>
      <Button disabled={pending !== null} onClick={onPublish}>
        {t(pending === 'publish' ? 'footer.publishing' : 'footer.publish')}
      </Button>
    </footer>
  )
}
