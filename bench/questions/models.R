# Predictions of eight models on sets of the R package mlbench, as CSV files for ALIS_DATA: `Rscript bench/questions/models.R folder`. Needs e1071
# and randomForest as well. A few hundred points train, the others are the pool.
library(mlbench)
folder <- commandArgs(TRUE)[1]

# Shares of votes among the k nearest, with one vote spread evenly.
neighbours <- function(train, y, pool, k) {
  distance <- outer(rowSums(pool^2), rowSums(train^2), "+") - 2 * pool %*% t(train)
  votes <- t(apply(distance, 1, function(d) table(y[order(d)[1:k]])))
  (votes + 1 / nlevels(y)) / (k + 1)
}

models <- function(train, y, pool) {
  here <- data.frame(train, y = y)
  there <- data.frame(pool)
  support <- e1071::svm(train, y, probability = TRUE)
  said <- attr(predict(support, pool, probability = TRUE), "probabilities")
  logistic <- predict(nnet::multinom(y ~ ., here, decay = 1, maxit = 300, trace = FALSE), there, type = "probs")
  list(
    logistic = if (nlevels(y) == 2) cbind(1 - logistic, logistic) else logistic,
    bayes = predict(e1071::naiveBayes(train, y), pool, type = "raw"),
    near = neighbours(train, y, pool, 5),
    far = neighbours(train, y, pool, 25),
    tree = predict(rpart::rpart(y ~ ., here), there),
    forest = predict(randomForest::randomForest(train, y), pool, type = "prob"),
    svm = said[, levels(y)],
    lda = predict(MASS::lda(train, y), pool)$posterior
  )
}

write_models <- function(x, y, trained, seed, name) {
  set.seed(seed)
  x <- scale(as.matrix(x))
  y <- factor(as.integer(factor(y)) - 1)
  rows <- sample(nrow(x), trained)
  shares <- models(x[rows, ], y[rows], x[-rows, ])
  predicted <- sapply(shares, function(each) max.col(each, ties.method = "first") - 1)
  cat(name, nrow(predicted), round(sort(colMeans(predicted == y[-rows]), decreasing = TRUE), 3), "\n")
  mean <- Reduce(`+`, shares) / length(shares)
  colnames(mean) <- paste0("mean", levels(y))
  doubt <- 1 - sapply(shares, function(each) apply(each, 1, max))
  colnames(doubt) <- paste0(names(shares), ".doubt")
  write.csv(data.frame(y = y[-rows], predicted, round(doubt, 6), round(mean, 6)),
    file.path(folder, paste0("models-", name, ".csv")), row.names = FALSE)
}

data(Satellite)
write_models(Satellite[, -37], Satellite$classes, 600, 1, "satellite")
made <- function(drawn, trained, seed, name) write_models(drawn$x, drawn$classes, trained, seed, name)
set.seed(1); made(mlbench.waveform(4000), 400, 2, "waveform")
set.seed(2); made(mlbench.twonorm(4000, 20), 200, 3, "twonorm")
set.seed(3); made(mlbench.ringnorm(4000, 20), 200, 4, "ringnorm")
