import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '@/lib/save-file'
import { toast } from '@/lib/toast'
import { errorToast } from '@/i18n/error-toast'
import { Button } from '../ui/button.tsx'

type CsvButtonProps = {
  /** Name of the saved file. */
  readonly file: string
  readonly load: () => Promise<Blob>
  /** Names the file where a page has several. */
  readonly label?: string
  /** Message once it is saved; that of a CSV file without it. */
  readonly done?: string
  /** Explains why the file cannot be made; null leaves it to the page. */
  readonly explain?: (error: Error) => string | null
}

/** Saves rows as a CSV file, or another copy of them, for the actions of a page or the tools of a table. */
export function CsvButton({ file, load, label, done, explain }: CsvButtonProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    meta: { silent: explain !== undefined },
    mutationFn: async () => saveFile(await load(), file),
    onSuccess: () => toast.success(done ?? t('csv.done')),
    onError: (error) => {
      if (explain === undefined) return
      const reason = explain(error)
      if (reason === null) errorToast(error)
      else toast.error(reason)
    },
  })
  return (
    <Button variant="outline" disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden />
      {label ?? t('csv.label')}
    </Button>
  )
}
