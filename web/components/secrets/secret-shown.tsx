import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DialogStep } from '@/components/dialog-frame'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/toast'
import '@/i18n/texts/profile'

type SecretShownProps = {
  readonly text: string
  readonly secret: string
  readonly done: string
  readonly onDone: () => void
}

/** The body of a dialog that shows a secret once: to copy before it closes. */
export function SecretShown({ text, secret, done, onDone }: SecretShownProps) {
  const { t } = useTranslation('profile')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      toast.success(t('copied'))
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  return (
    <DialogStep confirm={done} onConfirm={onDone}>
      <p className="text-[0.8125rem]/5 text-pretty">{text}</p>
      <div className="bg-muted/60 flex items-center gap-2 rounded-lg py-2 pr-2 pl-4">
        <code translate="no" className="min-w-0 grow font-mono text-xs break-all select-all">
          {secret}
        </code>
        <Button variant="outline" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden />
          {t('copy')}
        </Button>
      </div>
    </DialogStep>
  )
}
