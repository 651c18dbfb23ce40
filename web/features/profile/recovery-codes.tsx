import { Copy, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { DialogStep } from '@/components/dialog-frame'
import { Button } from '@/components/ui/button'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void }

/** Recovery codes, shown once: to copy or save before the dialog closes. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation('profile')
  const text = codes.join('\n')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(t('copied'))
    } catch {
      toast.error(t('copyFailed'))
    }
  }
  return (
    <DialogStep confirm={t('factor.kept')} onConfirm={onDone}>
      <p className="text-[0.8125rem]/5 text-pretty">{t('factor.codesText')}</p>
      <ul
        aria-label={t('factor.codes')}
        translate="no"
        className="bg-muted/60 grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg px-5 py-4 font-mono text-[0.8125rem]/5"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button variant="outline" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden />
          {t('copy')}
        </Button>
        <Button
          variant="outline"
          size="sm"
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'placard-recovery-codes.txt')}
        >
          <Download aria-hidden />
          {t('factor.download')}
        </Button>
      </div>
    </DialogStep>
  )
}
