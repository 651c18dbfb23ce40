import quickEdit from '../locales/en/quickEdit.json'
import { addEnglish } from '../add-texts.ts'

// Texts of editing several campaigns at once.
addEnglish({ quickEdit })
