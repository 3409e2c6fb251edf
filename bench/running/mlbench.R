# Writes sets of the R package mlbench as CSV files into a folder: `Rscript bench/running/mlbench.R folder`, for ALIS_DATA.
library(mlbench)
folder <- commandArgs(TRUE)[1]
write_set <- function(data, label, name) {
  features <- data[, !(names(data) %in% c(label, "Id")), drop = FALSE]
  path <- file.path(folder, paste0(name, ".csv"))
  write.csv(data.frame(features, y = as.character(data[[label]])), path, row.names = FALSE, na = "")
}
for (each in list(
  c("Satellite", "classes"), c("Vehicle", "Class"), c("Vowel", "Class"), c("Glass", "Type"), c("Ionosphere", "Class"),
  c("Sonar", "Class"), c("PimaIndiansDiabetes", "diabetes"), c("BreastCancer", "Class"), c("Shuttle", "Class"), c("DNA", "Class")
)) {
  data(list = each[1])
  write_set(get(each[1]), each[2], tolower(each[1]))
}
made <- function(seed, make, name) {
  set.seed(seed)
  drawn <- make()
  write_set(data.frame(drawn$x, y = drawn$classes), "y", name)
}
made(1, function() mlbench.ringnorm(4000, 20), "ringnorm")
made(2, function() mlbench.twonorm(4000, 20), "twonorm")
made(3, function() mlbench.threenorm(4000, 20), "threenorm")
made(4, function() mlbench.waveform(5000), "waveform")
made(5, function() mlbench.circle(4000, 2), "circle")
