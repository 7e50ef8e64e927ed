# Writes tables of mlbench and kernlab as CSV files: Rscript tables.R FOLDER

folder <- commandArgs(TRUE)[1]

# Writes a table with its class in the last column, without the columns in `drop`.
save_table <- function(name, package, label, drop = c()) {
  held <- new.env()
  data(list = name, package = package, envir = held)
  table <- held[[name]]
  # Classes that are numbers would be counted from 0.
  class <- sub("^([0-9]+)$", "c\\1", as.character(table[[label]]))
  features <- table[, !(names(table) %in% c(label, drop))]
  write.csv(cbind(features, class), file.path(folder, paste0(name, ".csv")),
            row.names = FALSE, quote = FALSE)
}

save_table("Sonar", "mlbench", "Class")
save_table("Ionosphere", "mlbench", "Class")
save_table("Vehicle", "mlbench", "Class")
save_table("Glass", "mlbench", "Type")
save_table("PimaIndiansDiabetes", "mlbench", "diabetes")
# V1 is the speaker.
save_table("Vowel", "mlbench", "Class", "V1")
save_table("DNA", "mlbench", "Class")
save_table("Satellite", "mlbench", "classes")
save_table("LetterRecognition", "mlbench", "lettr")
save_table("musk", "kernlab", "Class")
save_table("spam", "kernlab", "type")
