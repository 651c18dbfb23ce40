import audiences from '../locales/en/audiences.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the screens of audiences.
addEnglish({ audiences })
